// test: slow.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../bin/roots.ts'
import { isDescription } from '../core/vocabulary/language.ts'
import { formType } from '../core/vocabulary/words.ts'
import { commandsOf } from './journeys/with-documents.ts'
import { pantry, type Outcome } from './support/command-line.ts'
import { testDatabase } from './support/database.ts'
import { registryOf } from './support/registry.ts'
import { scratchFolder } from './support/scratch.ts'
import { startService } from './support/service.ts'

const examples = join(packageFolder, 'examples')
const names = readdirSync(examples)
const readme = (name: string): string => readFileSync(join(examples, name, 'README.md'), 'utf8')

/** The words of a command, as a shell would hand them over. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** What the last command answers, as the text shows it. */
const shownIn = (text: string): unknown => JSON.parse(/```json\n([^]*?)```/.exec(text)?.[1] ?? 'null')

t.test('each example is linked from the guide, and from the list of documents', async t => {
  t.ok(names.length > 0)
  for (const file of ['own-service.md', 'README.md']) {
    const guide = readFileSync(join(packageFolder, 'docs', file), 'utf8')
    t.strictSame(
      names.filter(name => !guide.includes(`](../examples/${name}/README.md)`)),
      [],
      file
    )
  }
})

for (const name of names) {
  t.test(`examples/${name} says where its data comes from, and under which license`, async t => {
    const said = /^\*\*Data:\*\*[^]*$/m.exec(readme(name))?.[0] ?? ''
    t.match(said, /\bSource: \S|\b(?:invented|written) for this example\b/)
    t.match(said, /\bon \d{4}-\d\d-\d\d\b/)
    const corpora = readdirSync(join(examples, name, 'corpora'))
    for (const corpus of corpora) {
      const file = join(examples, name, 'corpora', corpus, 'corpus.yaml')
      const { license } = parse(readFileSync(file, 'utf8')) as { license: string }
      t.ok(said.includes(license), `${corpus}: ${license}`)
    }
  })

  t.test(`examples/${name} is valid, keeps its promises, and answers as its README says`, async t => {
    // `pantry test` writes what its examples write, so it gets a database of its own.
    const [{ url }, tested] = [await testDatabase(t, 'empty'), await testDatabase(t, 'empty')]
    const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', PANTRY_DATA_DIR: scratchFolder(t) }
    const before = process.cwd()
    process.chdir(packageFolder)
    t.teardown(() => {
      process.chdir(before)
    })
    const commands = commandsOf(`examples/${name}/README.md`).map(({ text }) => wordsOf(text))
    const root = ['--root', `examples/${name}`]
    let last: Outcome | undefined
    for (const [npx, program, ...args] of commands) {
      t.strictSame([npx, program, ...args.slice(-2)], ['npx', 'pantry', ...root], args.join(' '))
      if (args[0] === 'serve') {
        const service = await startService(t, { args: args.slice(1), env })
        t.equal((await fetch(service.url)).status, 200, args.join(' '))
      } else {
        last = await pantry(
          args[0] === 'validate' ? [...args, '--warnings-as-errors'] : args,
          args[0] === 'test' ? { ...env, DATABASE_URL: tested.url } : env
        )
        t.equal(last.code, 0, `${args.join(' ')}: ${last.stdout}${last.stderr}`)
      }
    }
    t.strictSame(
      ['validate', 'test', 'serve', 'get'].filter(command => !commands.some(words => words[2] === command)),
      [],
      'a README has all of them'
    )
    t.ok(readme(name).match(/^.*\S.*$/gm)!.length <= 10, 'a README has ten lines, besides empty ones')
    const shown = shownIn(readme(name))
    t.type(shown, 'object')
    t.match((JSON.parse(last?.stdout ?? '{}') as { data?: unknown }).data, shown)
  })
}

t.test('examples/incident-log speaks English and German, on its pages and in its messages', async t => {
  const { url } = await testDatabase(t, 'empty')
  const { registry } = await registryOf([join(examples, 'incident-log')])
  const service = await startService(t, {
    args: ['--root', join(examples, 'incident-log')],
    env: { DATABASE_URL: url, LOG_LEVEL: 'silent', PANTRY_DATA_DIR: scratchFolder(t) }
  })
  type Sent = Omit<RequestInit, 'headers'> & Readonly<{ headers?: Readonly<Record<string, string>> }>
  const get = (path: string, language?: string, more: Sent = {}): Promise<Response> =>
    fetch(service.url + path, {
      ...more,
      headers: {
        Accept: 'text/html',
        ...more.headers,
        ...(language === undefined ? {} : { 'Accept-Language': language })
      }
    })
  const german = registry.dictionaries.get('de') ?? new Map<string, string>()
  /** Texts that are the same in both languages say nothing, nor do those of one word, which data may hold. */
  const english = [...german].filter(
    ([text, translated]) => text !== translated && text.includes(' ') && !/[{`]/.test(text)
  )
  const pages = ['/', '/explore', '/incidents', '/api/v1/incidents?format=html', '/api/v1/incidents/1?format=html']
  t.ok(english.length > 50)
  for (const path of pages) {
    const [plain, translated] = [await get(path), await get(path, 'de-AT,en;q=0.5')]
    const [before, after] = [await plain.text(), await translated.text()]
    t.strictSame([plain.status, translated.status], [200, 200], path)
    t.match(before, '<html lang="en">', path)
    t.match(after, '<html lang="de">', path)
    t.strictSame(
      [plain, translated].map(({ headers }) => headers.get('content-language')),
      ['en', 'de'],
      path
    )
    for (const { headers } of [plain, translated]) t.match(headers.get('vary') ?? '', 'Accept-Language', path)
    t.not(plain.headers.get('etag') ?? 'none', translated.headers.get('etag') ?? 'other', path)
    // Between tags, or in an attribute: where a text is whole.
    t.strictSame(
      english.filter(([text]) => [`>${text}<`, `"${text}"`].some(whole => after.includes(whole))),
      [],
      path
    )
    for (const language of ['fr', 'de;q=0, en', 'en, de;q=0.5'])
      t.match(await (await get(path, language)).text(), '<html lang="en">', `${path} ${language}`)
    // The answer in one language is not kept for the other.
    t.match(await (await get(path, 'de')).text(), '<html lang="de">', path)
    t.match(await (await get(path, 'en')).text(), '<html lang="en">', path)
  }
  t.match(await (await get('/incidents?lang=de', 'en')).text(), '>Störungen<')

  // The explorer, in detail: every text of every page, and what a program reads of it.
  const { areas } = (await (await get('/api/v1/explorer', 'de')).json()) as {
    areas: readonly { surfaces: readonly { name: string }[] }[]
  }
  const explored = areas.flatMap(({ surfaces }) => surfaces.map(({ name }) => name))
  t.ok(explored.length > 20)
  const known = new Set([...german].filter(([text, said]) => text !== said && text.includes(' ')).map(([text]) => text))
  const plainly = (text: string): string =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim()
  for (const name of explored) {
    const page = await (await get(`/explore/${name}`, 'de')).text()
    const texts = page
      .replaceAll(/<pre.*?<\/pre>/gs, '')
      .split(/<[^>]*>/)
      .map(plainly)
    t.match(page, '<html lang="de">', name)
    t.strictSame(
      texts.filter(text => known.has(text) || isDescription(text)),
      [],
      name
    )
  }
  const explained = await get('/api/v1/diagnostic', 'de')
  t.equal(explained.headers.get('content-language'), 'de')
  t.match(explained.headers.get('vary') ?? '', 'Accept-Language')
  const { data } = (await explained.json()) as {
    data: Record<'how_to_use' | 'if_your_parser_fails_check', string[]> & { error_codes: { meaning: string }[] }
  }
  const meanings = data.error_codes.map(({ meaning }) => meaning)
  t.ok(meanings.includes('Die Störung ist schon behoben.'))
  t.strictSame(
    [...data.how_to_use, ...data.if_your_parser_fails_check, ...meanings].filter(text => known.has(text)),
    []
  )

  const missing = await get('/nothing-here', 'de')
  t.equal(missing.status, 404)
  t.match(missing.headers.get('vary') ?? '', 'Accept-Language')
  t.equal(missing.headers.get('content-language'), 'de')
  t.match(
    await missing.text(),
    /<html lang="de">.*Hier ist nichts.*Unter diesem Pfad gibt es nichts\..*Von hier geht es weiter zu/s
  )

  const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const failure = async (path: string, language?: string, body?: object) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await get(path, language, { ...sent, headers: json })
    return ((await response.json()) as { error: object }).error
  }
  t.match(await failure('/api/v1/incidents/999999', 'de'), {
    code: 'NOT_FOUND',
    message: 'Hier nicht gefunden: Störung `999999`.'
  })
  t.match(await failure('/api/v1/incidents?severity=huge', 'de'), {
    code: 'INVALID_INPUT',
    message: '`huge` ist keiner der erlaubten Werte für `severity`: `minor`, `major`.'
  })
  t.match(await failure('/api/v1/incidents', 'de', { title: 'abc', severity: 'minor' }), {
    message: '`title` ist kürzer als 5 Zeichen.',
    details: { field: 'title', issues: [{ message: '`title` ist kürzer als 5 Zeichen.' }] }
  })
  t.match(await failure('/api/v1/incidents', undefined, { title: 'abc', severity: 'minor' }), {
    message: '`title` is shorter than 5 characters.'
  })
  t.match(await failure('/api/v1/incidents/1/close', 'de', { remedy: 'A new pipe.' }), {
    code: 'ALREADY_CLOSED',
    message: 'Diese Störung ist schon behoben.'
  })
  t.match(await failure('/api/v1/incidents/999999/close', 'de', { remedy: 'A new pipe.' }), {
    message: 'Hier nicht gefunden: Störung `999999`.'
  })

  const incidents = '/api/v1/incidents'
  const refused: readonly (readonly [status: number, path: string, sent?: Sent])[] = [
    [400, '/%zz'],
    [400, '/api/v1/tools?tags=nothing'],
    [400, '/api/v1/explorer/get_incidents?p19=x'],
    [400, `${incidents}?cursor=x`],
    [400, `${incidents}?fields=nothing`],
    [400, `${incidents}?limit=many`],
    [400, `${incidents}?limit=1&limit=2`],
    [400, `${incidents}?severity=huge`],
    [400, incidents, { method: 'POST', body: '{"title":' }],
    [400, incidents, { method: 'POST', body: '{"title":"a","title":"b"}' }],
    [400, incidents, { method: 'POST', body: '{"nothing":1}' }],
    [403, '/incidents', { method: 'POST', headers: { 'Content-Type': formType, Origin: 'https://other.example' } }],
    [404, '/api/v1/nothing'],
    [404, '/api/v1/kinds/nothing'],
    [404, '/api/v1/examples/nothing'],
    [404, '/api/v1/explorer/nothing'],
    [404, `${incidents}/999999`],
    [405, incidents, { method: 'DELETE' }],
    [413, incidents, { method: 'POST', body: JSON.stringify({ title: 'x'.repeat(10_000) }) }],
    [415, incidents, { method: 'POST', body: 'title=x', headers: { 'Content-Type': 'text/plain' } }],
    [415, incidents, { method: 'POST', body: '{}', headers: { 'Content-Encoding': 'gzip' } }],
    [415, '/incidents', { method: 'POST', body: '{}', headers: { Origin: service.url } }]
  ]
  for (const [status, path, sent = {}] of refused) {
    const messageIn = async (language: string): Promise<string> => {
      const answer = await get(path, language, { ...sent, headers: { ...json, ...sent.headers } })
      t.equal(answer.status, status, path)
      const text = await answer.text()
      return text.startsWith('{')
        ? (JSON.parse(text) as { error: { message: string } }).error.message
        : (/<main.*?<p>(.*?)<\/p>/s.exec(text)?.[1] ?? '')
    }
    const [plain, translated] = [await messageIn('en'), await messageIn('de')]
    t.not(translated, plain, `${status} ${path}: ${plain}`)
    t.not(translated, '', path)
  }

  const form = await get('/incidents', 'de', {
    method: 'POST',
    headers: { 'Content-Type': formType, Origin: service.url },
    body: 'title=abc&severity=minor'
  })
  t.match(
    await form.text(),
    /<html lang="de">.*Die Störung wurde nicht gemeldet.*Bitte mindestens 5 Zeichen schreiben\./s
  )
})

t.test('examples/incident-log does once what is sent twice, and its job deletes what is old', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const root = ['--root', join(examples, 'incident-log')]
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', PANTRY_DATA_DIR: scratchFolder(t) }
  const service = await startService(t, { args: root, env })
  const report = (title: string): Promise<Response> =>
    fetch(`${service.url}/api/v1/incidents`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' },
      body: JSON.stringify({ title, severity: 'minor' })
    })
  const [first, again] = [await report('The lamp is broken'), await report('The lamp is broken')]
  t.strictSame([first.status, again.status], [201, 201])
  t.strictSame(
    [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true']
  )
  t.equal((await report('Another lamp is broken')).status, 422)
  const titles = async (): Promise<readonly string[]> =>
    await database.knex('incidents').orderBy('id').pluck<string[]>('title')
  t.equal((await titles()).length, 4)

  const old = { title: 'A pump is still', severity: 'minor', closed_at: '2023-01-01T00:00:00Z', remedy: 'Oil.' }
  await database.knex('incidents').insert(old)
  const before = await titles()
  t.match(await pantry(['job', 'sweep', ...root], env), { code: 0, stdout: 'sweep: done\n' })
  t.strictSame(
    await titles(),
    before.filter(title => title !== old.title)
  )
})

t.test('examples/library reads a list that is sent as a file', async t => {
  const service = await startService(t, { args: ['--root', join(examples, 'library')] })
  const send = async (file: Blob): Promise<Readonly<{ status: number; text: string }>> => {
    const body = new FormData()
    body.set('file', file, 'wishes.txt')
    const answer = await fetch(`${service.url}/api/v1/wishes`, { method: 'POST', body })
    return { status: answer.status, text: await answer.text() }
  }
  const taken = await send(new Blob(['Dracula\r\nUlysses\r\n'], { type: 'text/plain' }))
  t.match(JSON.parse(taken.text), { data: { here: [{ slug: 'dracula' }], missing: ['Ulysses'] } })
  t.equal((await send(new Blob(['Dracula'], { type: 'image/png' }))).status, 415)
  t.equal((await send(new Blob(['x'.repeat(70_000)], { type: 'text/plain' }))).status, 413)
  t.equal((await send(new Blob([new Uint8Array([0xff])], { type: 'text/plain' }))).status, 400)
})
