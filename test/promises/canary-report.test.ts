// test: long. Values that may not be published, and secrets, are looked for wherever the service puts anything; prints
// a table.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { table } from '../../bin/table.ts'
import { importSource } from '../../surfaces/importer.ts'
import { serving, talking } from '../faults/serving.ts'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { inTurns } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { registryOf } from '../support/registry.ts'
import { scratchFolder } from '../support/scratch.ts'
import { dataFolder, lantern } from '../surfaces/import/lantern.ts'

/** Of the rows that are imported: prices, pictures, shop ids and links are marked so in the files. */
const withheld = [
  'CANARY',
  'canary-9.99',
  'canary-40',
  'canary-1',
  'canary-date',
  'canary.png',
  'canary.webp',
  'example.com/canary'
]
/** Of whoever asks and whoever runs the service. */
const password = 'canarypassword7f3a'
const asked = {
  query: 'canaryquery7f3a',
  body: 'canarybody7f3a',
  credential: 'canarytoken7f3a',
  cookie: 'canarycookie7f3a'
}

/** The ways in which a text may be written down. */
const formsOf = (text: string): readonly string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('hex')
]
const hits = (canaries: readonly string[], found: string): readonly string[] =>
  canaries.filter(canary => formsOf(canary).some(form => found.includes(form)))

type Line = Readonly<{ place: string; bytes: number; rows: readonly string[]; secrets: readonly string[] }>

t.test('no price, picture, shop id or link, and no secret, comes out anywhere', async t => {
  const { database, url } = await testDatabase(t)
  await importSource(database, lantern, { folder: dataFolder })
  for (const name of readdirSync(dataFolder))
    if (name === 'en.json') t.ok(readFileSync(join(dataFolder, name), 'utf8').includes('CANARY'), 'the files hold some')
  const lines: Line[] = []
  const all = [password, ...Object.values(asked)]
  const look = (place: string, found: string, secrets: readonly string[] = all): void => {
    lines.push({ place, bytes: Buffer.byteLength(found), rows: hits(withheld, found), secrets: hits(secrets, found) })
  }

  const { rows: tables } = await database.bulk.raw<{ rows: { name: string }[] }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'"
  )
  const held = await Promise.all(
    tables.map(async ({ name }) =>
      (await database.bulk.raw<{ rows: { text: string }[] }>('select t::text as text from ?? t', [name])).rows
        .map(({ text }) => text)
        .join('\n')
    )
  )
  t.match(held.join('\n'), 'lan-', 'the tables hold the cards')
  look('all tables', held.join('\n'))

  const folder = scratchFolder(t)
  const databaseUrl = url.replace('@', `:${password}@`)
  const env = { DATABASE_URL: databaseUrl, PANTRY_DATA_DIR: folder }
  t.match(await pantry(['backup', join(folder, 'kept.gz')], env), { code: 0 })
  look('pantry backup', gunzipSync(readFileSync(join(folder, 'kept.gz'))).toString())
  const commands = await Promise.all(
    [['config'], ['doctor'], ['get', '/api/v1/status'], ['migrate', '--status']].map(args => pantry(args, env))
  )
  look('output of commands', commands.map(({ stdout, stderr }) => stdout + stderr).join('\n'))
  // Nobody is there: what is said of it must not hold the address.
  const nowhere = await pantry(['doctor'], {
    ...env,
    DATABASE_URL: `postgresql://somebody:${password}@127.0.0.1:1/none`
  })
  look('a database that is not reached', nowhere.stdout + nowhere.stderr)

  const {
    registry: { surfaces }
  } = await registryOf(['.'])
  const { rows: cards } = await database.bulk.raw<{ rows: { sku: string }[] }>('select sku from cards')
  const targets = [
    ...surfaces.flatMap(({ examples }) => examples.map(({ url: target, method, body }) => ({ target, method, body }))),
    ...surfaces
      .filter(({ route: { placeholders, methods } }) => placeholders.join() === 'sku' && methods.includes('GET'))
      .flatMap(({ route, formats }) =>
        cards.flatMap(({ sku }) =>
          formats.map(format => ({
            target: `${route.path.replace('{sku}', sku)}?format=${format}`,
            method: 'GET',
            body: undefined
          }))
        )
      )
  ]
  const reports = mkdtempSync(join(tmpdir(), 'pantry-report-'))
  t.teardown(() => {
    rmSync(reports, { recursive: true, force: true })
  })
  for (const level of ['debug', ...inTurns(['trace', 'info', 'error'], 3)]) {
    const planted = `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { void Promise.reject(new Error('planted')) })")}`
    const node = ['--import', planted, '--report-on-signal', '--report-signal=SIGPWR', `--report-dir=${reports}`]
    const {
      child,
      url: at,
      words,
      status
    } = await serving(t, { root: '.', node, env: { ...env, LOG_LEVEL: level, PANTRY_ADMIN_PORT: '0' } })
    const admin = await eventually(() => {
      const found = /admin port on ([^\s"]+)/.exec(words())?.[1]
      if (found === undefined) throw new Error('no admin port')
      return found
    })
    await eventually(async () => {
      if ((await status('/readyz')) !== 200) throw new Error('not ready')
    })
    const answers: string[] = []
    for (const { target, method, body } of targets) {
      const answer = await fetch(`${at}${target}${target.includes('?') ? '&' : '?'}z=${asked.query}`, {
        method,
        headers: {
          Authorization: `Bearer ${asked.credential}`,
          Cookie: `session=${asked.cookie}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' })
        },
        ...(body === undefined
          ? {}
          : {
              body: JSON.stringify(
                typeof body === 'object' && body !== null && !Array.isArray(body)
                  ? Object.assign({ [asked.body]: asked.body }, body)
                  : body
              )
            })
      })
      answers.push(JSON.stringify([...answer.headers]), await answer.text())
    }
    // What a request holds comes back to who sent it, in errors and echoes; it is looked for in what others see.
    if (level === 'debug') look(`answers to ${targets.length} requests`, answers.join('\n'), [password])
    look(
      `/metrics, log level ${level}`,
      (await (await fetch(`${admin}/metrics`)).text()) + (await (await fetch(`${admin}/readyz`)).text())
    )
    if (level === 'debug') {
      child.kill('SIGPWR')
      // It is there before all of it is written.
      const report = await eventually(
        () => JSON.parse(readFileSync(join(reports, readdirSync(reports)[0] ?? ''), 'utf8')) as Record<string, unknown>
      )
      // Node writes the environment of the process into it, with the password: an operator asks for it, and keeps it.
      delete report['environmentVariables']
      look('diagnostic report of Node, but for the environment', JSON.stringify(report))
    }
    const { socket } = await talking(
      Number(new URL(at).port),
      `GET /api/v1/?z=${asked.query}\0 HTTP/1.1\r\nHost: x\r\nAuthorization: ${asked.credential}\r\n\r\n`
    )
    socket.end()
    const ended = once(child, 'exit')
    child.kill('SIGUSR2')
    t.same(await ended, [3, null])
    t.match(words(), /planted/, 'the crash is told')
    look(`log and crash, level ${level}`, words())
  }
  process.stderr.write(
    `${table(
      ['place', 'bytes', 'withheld values', 'secrets'],
      lines.map(({ place, bytes, rows, secrets }) => [
        place,
        String(bytes),
        rows.length === 0 ? 'none' : rows.join(', '),
        secrets.length === 0 ? 'none' : secrets.join(', ')
      ])
    )}\n`
  )
  t.same(
    lines.filter(({ rows, secrets }) => rows.length + secrets.length > 0),
    []
  )
  t.same(
    lines.filter(({ bytes }) => bytes === 0),
    [],
    'each place holds something'
  )
})
