import t from 'tap'
import { openDatabase } from '../../core/database/database.ts'
import { silent } from '../../core/database/log.ts'
import { openAccounts } from '../../surfaces/accounts/open.ts'
import { authenticator } from '../support/authenticator.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent })
t.teardown(async () => { await database.close() })
const own = 'http://127.0.0.1:8080'
const { services: { people, signIn, keys } } = openAccounts(database, own)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

const person = async (name: string): Promise<{ id: string, cookie: string }> => {
  const { id } = await people.add(name, [])
  return { id, cookie: `pantry_session=${(await signIn.withCode(name, await signIn.issueCode(id)))?.secret ?? ''}` }
}
const sameSite = { Origin: own, 'Sec-Fetch-Site': 'same-origin' }
const json = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  await get(path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
const form = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  await get(path, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body: new URLSearchParams(fields).toString() })
const tokenOf = async (cookie: string): Promise<string> => /name="token" value="([^"]+)"/.exec(await (await get('/account', { headers: { Cookie: cookie } })).text())?.[1] ?? ''
const roles = async (id: string): Promise<unknown> => (await people.byId(id))?.roles

t.test('fixation: a session that was there before a sign-in is not the one after it, and is over', async t => {
  const { id, cookie } = await person('fixed')
  const code = await signIn.issueCode(id)
  const signed = await json('/api/v1/account/sign-in', { username: 'fixed', code }, { Cookie: cookie, ...sameSite })
  t.equal(signed.status, 200)
  t.notMatch(signed.headers.get('set-cookie'), cookie)
  t.equal((await get('/api/v1/account', { headers: { Cookie: cookie } })).status, 401)
})

t.test('login CSRF: another site signs nobody in, by form, by JSON or by passkey', async t => {
  const { id } = await people.add('lured', [])
  const code = await signIn.issueCode(id)
  const elsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  t.equal((await form('/account/sign-in', { username: 'lured', code }, elsewhere)).status, 403)
  const plain = await get('/api/v1/account/sign-in', { method: 'POST', headers: { 'Content-Type': 'text/plain', ...elsewhere }, body: JSON.stringify({ username: 'lured', code }) })
  t.equal(plain.status, 415, 'what a page of another site may send without asking is not read')
  const asked = await get('/api/v1/account/sign-in', { method: 'OPTIONS', headers: { ...elsewhere, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' } })
  t.equal(asked.headers.get('access-control-allow-origin'), null, 'and what it must ask for is not granted')
  t.ok(await signIn.withCode('lured', code), 'the code was not used')
})

t.test('mass assignment: a form and a body give nobody a role, a tier or a scope', async t => {
  const { id, cookie } = await person('climber')
  const headers = { Cookie: cookie, ...sameSite }
  const token = await tokenOf(cookie)
  for (const more of [{ role: 'admin' }, { roles: 'admin' }, { tier: 'partner' }, { scopes: 'hunt' }, { kind: 'wholesale' }]) {
    t.equal((await form('/account/agents', { token, name: 'x', contact: 'a@example.org', ...more }, headers)).status, 400, JSON.stringify(more))
    t.equal((await json('/api/v1/account/keys', { name: 'x', contact: 'a@example.org', ...more }, headers)).status, 400, JSON.stringify(more))
  }
  t.same(await roles(id), [])
  t.same(await keys.of(id), [])
})

t.test('a method in a header, a field or the query changes no method', async t => {
  const { id, cookie } = await person('override')
  const headers = { Cookie: cookie, ...sameSite, 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST' }
  t.equal((await get('/api/v1/account/leave?_method=POST', { headers })).status, 405)
  t.equal((await get('/account/leave?_method=POST', { headers })).status < 300, true, 'the page that asks is shown')
  t.ok(await people.byId(id))
})

t.test('open redirect: where somebody goes after a sign-in is nobody\'s to say', async t => {
  const { id } = await people.add('led-astray', [])
  for (const query of ['next=https://evil.example', 'return_to=//evil.example', 'url=%2F%2Fevil.example']) {
    const signed = await form(`/account/sign-in?${query}`, { username: 'led-astray', code: await signIn.issueCode(id) }, sameSite)
    t.match([303, 400], [Number, Number])
    t.notMatch(signed.headers.get('location') ?? '/account', /evil/)
    if (signed.status === 303) t.equal(signed.headers.get('location'), '/account')
  }
})

t.test('clickjacking: no page of an account can be framed, and none tells where its reader came from', async t => {
  const { cookie } = await person('framed')
  for (const path of ['/account', '/account/sign-in', '/account/agents', '/account/leave']) {
    const { headers } = await get(path, { headers: { Cookie: cookie } })
    t.match(headers.get('content-security-policy'), /frame-ancestors 'none'/, path)
    t.match(headers.get('referrer-policy'), /no-referrer|same-origin|strict-origin/, path)
    t.equal(headers.get('cache-control'), 'private, no-store', path)
  }
})

t.test('header injection: what people write is in no header, and names have no control characters', async t => {
  const { cookie } = await person('writer')
  const headers = { Cookie: cookie, ...sameSite }
  const made = await json('/api/v1/account/keys', { name: 'a\r\nSet-Cookie: x=1', contact: 'a@example.org' }, headers)
  t.equal(made.headers.get('set-cookie'), null)
  for (const name of ['a\r\nb', 'a\u0000b', 'a b', 'ａdmin', 'аdmin']) await t.rejects(people.add(name, []), JSON.stringify(name))
})

t.test('passkeys: an answer signs in once, and gives a session of its own', async t => {
  const { cookie } = await person('keyed')
  const [device, headers] = [authenticator(), { Cookie: cookie, ...sameSite }]
  const here = { origin: 'http://localhost:8080', rpId: 'localhost' }
  const challenge = async (path: string): Promise<string> => (await (await json(path, undefined, headers)).json() as { data: { challenge: string } }).data.challenge
  t.equal((await json('/api/v1/account/passkeys', { name: 'Phone', response: device.create({ ...here, challenge: await challenge('/api/v1/account/passkeys/options') }) }, headers)).status, 200)
  t.equal((await json('/api/v1/account/passkeys', { name: 'Phone', role: 'admin', response: device.create({ ...here, challenge: await challenge('/api/v1/account/passkeys/options') }) }, headers)).status, 400)
  const body = { response: device.get({ ...here, challenge: await challenge('/api/v1/account/sign-in/passkey/options') }) }
  const signed = await json('/api/v1/account/sign-in/passkey', body)
  t.equal(signed.status, 200)
  const session = /pantry_session=[^;]+/.exec(signed.headers.get('set-cookie') ?? '')?.[0] ?? ''
  t.equal((await get('/api/v1/account', { headers: { Cookie: session } })).status, 200)
  t.equal((await json('/api/v1/account/sign-in/passkey', body)).status, 401, 'a replay')
  await database.knex('sessions').update({ signed_in_at: database.knex.raw("now() - interval '11 minutes'") })
  t.equal((await json('/api/v1/account/passkeys/options', undefined, { Cookie: session, ...sameSite })).status, 403, 'an old sign-in adds none')
})
