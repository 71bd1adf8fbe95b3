import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createClientAddress } from '../../core/http/client.ts'
import { openAccounts } from '../../surfaces/people/open.ts'
import { newCode } from '../../surfaces/people/sign-in.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

// Each client here comes through a proxy that is trusted.
const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const { knex } = database
const own = 'http://127.0.0.1:8080'
const {
  services: { people, signIn }
} = openAccounts(database, own)
const mails = await startMailServer(t)
const generation = await generationOf(t, ['.'], {
  databaseUrl: url,
  settings: { smtpUrl: mails.url, mailFrom: 'desk@cards.example', signUp: 'open', drawsADay: 20 }
})
const { get, registry } = await serveGeneration(t, generation, {
  clientAddress: createClientAddress([{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }])
})

type Answer = Readonly<{
  status: number
  headers: Headers
  cookies: string
  data: Record<string, unknown>
  error: { details?: object }
}>

let clients = 0
const someone = (): string => `203.0.113.${++clients}`
async function post(path: string, body: unknown, from: string, cookie = ''): Promise<Answer> {
  const headers = {
    'Content-Type': 'application/json',
    Origin: own,
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': from,
    ...(cookie === '' ? {} : { Cookie: cookie })
  }
  const answer = await get(path, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const { data, error } = (await answer.json()) as Answer
  return {
    status: answer.status,
    headers: answer.headers,
    cookies: answer.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; '),
    data,
    error
  }
}
/** Asks until it is refused, at most `most` times; gives what was answered. */
async function flood(most: number, ask: (at: number) => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < most && answers.at(-1)?.status !== 429; at += 1) answers.push(await ask(at))
  return answers
}
function isRefused(t: Test, answers: readonly Answer[], limit: number): void {
  t.match(
    answers.map(({ status }) => status),
    [...Array.from({ length: limit }, () => 200), 429]
  )
  const { headers, error } = answers.at(-1) as Answer
  t.match(error.details, { limit })
  t.equal(headers.get('ratelimit-remaining'), '0')
  t.equal(headers.get('ratelimit-limit'), String(limit))
  t.equal(headers.get('ratelimit-reset'), headers.get('retry-after'))
  t.match(headers.get('retry-after'), /^[1-9]\d*$/)
}
const known = async (username: string): Promise<{ id: string; code: string }> => {
  const { id } = await people.add(username, [])
  await knex('mail_addresses').insert({ person: id, address: `${username}@example.org` })
  return { id, code: await signIn.issueCode(id) }
}
const report = { report: { kind: 'general', observation: 'A word.' }, consent: { keep: true } }

t.test('a member mails no strangers: three changes of address in an hour, whatever they send it with', async t => {
  const { code } = await known('cannon')
  const { cookies } = await post('/api/v1/account/sign-in', { username: 'cannon', code }, someone())
  const answers = await flood(
    20,
    async at => await post('/api/v1/account/mail', { address: `victim${at}@example.org` }, someone(), cookies)
  )
  isRefused(t, answers, 3)
  for (let at = 0; at < 3; at += 1) await mails.next(`victim${at}@example.org`)
  t.equal(mails.received.filter(({ to }) => to.startsWith('victim')).length, 3)
})

t.test('one client closes nothing for others: accounts, reports and draws', async t => {
  for (const [path, limit, ask] of [
    ['/api/v1/account/sign-up', 10, (at: number) => ({ address: `made-up-${at}@example.org` })],
    ['/api/v1/feedback/kept', 20, () => report],
    ['/api/v1/draws', 10, () => ({})]
  ] as const) {
    const greedy = someone()
    isRefused(t, await flood(500, async at => await post(path, ask(at), greedy)), limit)
    t.equal((await post(path, ask(501), someone())).status, 200, `${path}: somebody else`)
    t.equal(
      (await get('/api/v1/health', { headers: { 'X-Forwarded-For': greedy } })).status,
      200,
      'who was refused still reads'
    )
  }
})

t.test(
  'nor do many clients together: where there is no more for all, the first request of each client counts',
  async t => {
    const many = Array.from({ length: 4 }, () => someone())
    for (const from of many) await flood(10, async () => await post('/api/v1/draws', {}, from))
    const late = someone()
    t.equal((await post('/api/v1/draws', {}, late)).status, 200)
    t.match(await post('/api/v1/draws', {}, late), { status: 503, error: { details: { most_in_a_day: 20 } } })
    await knex('feedback_reports').insert(
      Array.from({ length: 200 }, () => ({ report: '{}', reply_may_be_public: false }))
    )
    await knex('mailed_codes').insert(
      Array.from({ length: 100 }, (_, at) => ({
        request: `full-${at}`,
        address: `full-${at}@example.org`,
        purpose: 'sign-up',
        digest: 'x',
        attempts_left: 5
      }))
    )
    t.equal((await post('/api/v1/feedback/kept', report, late)).status, 200)
    t.equal((await post('/api/v1/feedback/kept', report, late)).status, 503)
    t.equal((await post('/api/v1/account/sign-up', { address: 'late@example.org' }, late)).status, 200)
    const refused = await post('/api/v1/account/sign-up', { address: 'later@example.org' }, late)
    t.equal(refused.status, 429)
    t.equal(refused.headers.get('ratelimit-remaining'), '0')
    await knex('mailed_codes').where('request', 'like', 'full-%').delete()
  }
)

t.test('a household is one client, however many addresses it has', async t => {
  const answers = await flood(20, async at => await post('/api/v1/draws', {}, `2001:db8:0:7:${at.toString(16)}::1`))
  t.equal(
    answers.filter(({ status }) => status === 429).length + answers.filter(({ status }) => status === 503).length > 0,
    true
  )
  t.ok(answers.length <= 11)
  t.equal((await post('/api/v1/draws', {}, '2001:db8:0:8::1')).status, 200)
})

t.test('options for a passkey keep nothing, so that nobody takes away what others were given', async t => {
  const rows = async (): Promise<number> => Number((await knex('passkey_challenges').count())[0]?.['count'])
  const before = await rows()
  const from = someone()
  const challenges = new Set()
  for (let asked = 0; asked < 20; asked += 1)
    challenges.add((await post('/api/v1/account/sign-in/passkey/options', undefined, from)).data['challenge'])
  t.equal(challenges.size, 20)
  t.equal(await rows(), before)
})

t.test('wrong tries of others burn no code, and end for who makes them', async t => {
  const { code } = await known('marigold')
  const [attacker, victim] = [someone(), someone()]
  for (let tried = 0; tried < 12; tried += 1)
    t.equal((await post('/api/v1/account/sign-in', { username: 'marigold', code: newCode() }, attacker)).status, 401)
  t.equal(
    (await post('/api/v1/account/sign-in', { username: 'marigold', code }, attacker)).status,
    401,
    'who has guessed five times guesses no more'
  )
  const signed = await post('/api/v1/account/sign-in', { username: 'marigold', code }, victim)
  t.equal(signed.status, 200)
  t.match(signed.cookies, /^pantry_session=[\w-]{43}; pantry_browser=[\w-]{43}\.[\w-]{43}$/)
  const answers = await flood(
    100,
    async at => await post('/api/v1/account/sign-in', { username: `name-${at}`, code: newCode() }, attacker)
  )
  t.ok(answers.length <= 60)
  t.match(answers.at(-1), { status: 429, error: { details: { limit: 60 } } }, 'nor does a client try all names')
})

t.test('who is right has no tries taken', async t => {
  const { id } = await known('often')
  const from = someone()
  for (let at = 0; at < 70; at += 1) {
    if (
      (await post('/api/v1/account/sign-in', { username: 'often', code: await signIn.issueCode(id) }, from)).status !==
      200
    )
      t.fail(`sign-in ${at}`)
  }
  t.pass('seventy sign-ins of one client')
})

t.test(
  'strangers who ask for codes leave one for another client, and one for a browser that has signed in before',
  async t => {
    const { code } = await known('thistle')
    const home = someone()
    const { cookies } = await post('/api/v1/account/sign-in', { username: 'thistle', code }, home)
    const browser = cookies.split('; ')[1] ?? ''
    const ask = async (from: string, cookie = ''): Promise<string> =>
      String((await post('/api/v1/account/sign-in/mail', { username: 'thistle' }, from, cookie)).data['request'])
    const sent = async (): Promise<number> =>
      (await knex('mailed_codes').where({ address: 'thistle@example.org' })).length
    const attacker = someone()
    for (let at = 0; at < 5; at += 1) await ask(attacker)
    t.equal(await sent(), 2)
    await ask(someone())
    t.equal(await sent(), 3, 'another client')
    await ask(someone())
    t.equal(await sent(), 3)
    for (const wrong of ['pantry_browser=x', `${browser}x`, `${browser}; ${browser}`, browser.replace(/=./, '=_')])
      await ask(someone(), wrong)
    t.equal(await sent(), 3, 'a browser that makes up that it is known')
    const request = await ask(attacker, browser)
    t.equal(await sent(), 4, 'its own, also where the attacker is')
    await ask(attacker, browser)
    t.equal(await sent(), 4)
    let message = await mails.next('thistle@example.org')
    for (let at = 0; at < 3; at += 1) message = await mails.next('thistle@example.org')
    t.equal(
      (
        await post(
          '/api/v1/account/sign-in/mailed',
          { request, code: /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(message.text)?.[0] ?? '' },
          home
        )
      ).status,
      200
    )
    t.equal((await post('/api/v1/account/sign-in/mail', { username: 'nobody-at-all' }, someone(), browser)).status, 200)
    const asked = await flood(
      50,
      async at => await post('/api/v1/account/sign-in/mail', { username: `name-${at}` }, attacker)
    )
    t.match(
      asked.at(-1),
      { status: 429, error: { details: { limit: 30 } } },
      'one client asks for no codes of all names'
    )
  }
)

t.test('a page says the same, with the same headers, and passes on that a browser is known', async t => {
  const { id, code } = await known('by-page')
  const form = async (path: string, fields: Record<string, string>, from: string): Promise<Response> =>
    await get(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: own,
        'Sec-Fetch-Site': 'same-origin',
        'X-Forwarded-For': from
      },
      body: new URLSearchParams(fields).toString()
    })
  const signed = await form('/account/sign-in', { username: 'by-page', code }, someone())
  t.equal(signed.headers.getSetCookie().length, 2)
  const greedy = someone()
  for (let at = 0; at < 10; at += 1)
    await post('/api/v1/account/sign-up', { address: `page-${at}@example.org` }, greedy)
  const refused = await form('/account/sign-up', { address: 'page@example.org' }, greedy)
  t.equal(refused.status, 429)
  t.equal(refused.headers.get('ratelimit-remaining'), '0')
  t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/)
  await people.leave(id)
})

t.test('everything that writes and admits everyone has a share, and OpenAPI says so', async t => {
  // A statement that writes, and none that counts before it.
  const asked = new AsyncLocalStorage<string[]>()
  const client = pg.Client.prototype as unknown as {
    query: (this: unknown, what: string | { text: string }, ...more: unknown[]) => unknown
  }
  const { query } = client
  client.query = function (what, ...more) {
    asked.getStore()?.push(typeof what === 'string' ? what : what.text)
    return query.call(this, what, ...more)
  }
  t.teardown(() => {
    client.query = query
  })
  const writing = registry.surfaces.filter(
    ({ access, route, page }) => access.includes('public') && route.methods.includes('POST') && page === undefined
  )
  t.ok(writing.length > 10)
  const served = await serveGeneration(t, generation)
  let said: string[] = []
  served.server.prependListener('request', () => {
    asked.enterWith(said)
  })
  const { paths } = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<string, { post?: { responses: object } }>
  }
  const found: string[] = []
  for (const surface of writing) {
    const {
      route: { path },
      examples
    } = surface
    const bodies =
      path === '/api/v1/feedback/kept'
        ? [report]
        : path === '/api/v1/account/sign-up'
          ? [{ address: 'shares@example.org' }]
          : examples.map(({ body }) => body)
    said = []
    for (const body of bodies) {
      const answer = await served.get(path.replace('{id}', '00000000-0000-4000-8000-000000000000'), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      await answer.arrayBuffer()
    }
    const counts = said.findIndex(sql => sql.includes('rate_limits'))
    const writes = said.findIndex(
      sql =>
        /^\s*(?:insert|update|delete|select pg_advisory)|for (?:no key )?update/i.test(sql) &&
        !/rate_limits|into "(?:seals|secrets)"/.test(sql)
    )
    if (counts >= 0) found.push(path)
    if (counts >= 0) t.ok('429' in (paths[path]?.post?.responses ?? {}), `${path} says that it may be refused`)
    t.notOk(writes >= 0 && (counts < 0 || counts > writes), `${path} counts before it writes: ${said[writes] ?? ''}`)
  }
  t.ok(found.length >= 8, found.join(' '))
})
