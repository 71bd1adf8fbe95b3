// test: slow.
import t from 'tap'
import { openAccounts } from '../../surfaces/people/open.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const { knex } = database
const own = 'http://127.0.0.1:8080'
const {
  services: { people, signIn, mailAddresses }
} = openAccounts(database, own)
const server = await startMailServer(t)
const serve = async (signUp: 'closed' | 'invite' | 'open') =>
  await serveGeneration(
    t,
    await generationOf(t, ['.'], {
      databaseUrl: url,
      settings: { smtpUrl: server.url, mailFrom: 'desk@cards.example', signUp }
    })
  )
const [closed, byInvitation, open] = [await serve('closed'), await serve('invite'), await serve('open')]

type Answer = Readonly<{ status: number; cookie: string; data: Record<string, unknown>; text: string }>

const post = async ({ get }: typeof open, path: string, body: unknown, cookie = ''): Promise<Answer> => {
  const response = await get(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: own,
      'Sec-Fetch-Site': 'same-origin',
      ...(cookie === '' ? {} : { Cookie: cookie })
    },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  return {
    status: response.status,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    data: (JSON.parse(text) as { data: Record<string, unknown> | null }).data ?? {},
    text
  }
}
const codeIn = (text: string): string => /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text)?.[0] ?? ''
const known = async (username: string): Promise<string> => {
  const { id } = await people.add(username, [])
  await knex('mail_addresses').insert({ person: id, address: `${username}@example.org` })
  return id
}
const termsVersion = ((await (await open.get('/api/v1/terms')).json()) as { data: { version: string } }).data.version

t.test('a mailed code signs in, once, and in the browser that asked for it alone', async t => {
  const id = await known('mailed')
  const asked = await post(closed, '/api/v1/account/sign-in/mail', { username: ' Mailed ' })
  const { text } = await server.next('mailed@example.org')
  const code = codeIn(text)
  t.match(text, /^From: desk@cards\.example/m)
  t.notMatch(text, /https?:/, 'a mail with a link teaches people to follow links')
  t.notOk(text.includes(String(asked.data['request'])))
  const elsewhere = await post(closed, '/api/v1/account/sign-in/mail', { username: 'nobody-of-that-name' })
  t.equal(
    (await post(closed, '/api/v1/account/sign-in/mailed', { request: elsewhere.data['request'], code })).status,
    401,
    'another browser'
  )
  t.equal(
    (await post(closed, '/api/v1/account/sign-in', { username: 'mailed', code })).status,
    401,
    'without the request'
  )
  const signed = await post(closed, '/api/v1/account/sign-in/mailed', {
    request: asked.data['request'],
    code: code.toLowerCase()
  })
  t.equal(signed.status, 200)
  t.equal((await closed.get('/api/v1/account', { headers: { Cookie: signed.cookie } })).status, 200)
  t.equal(
    (await post(closed, '/api/v1/account/sign-in/mailed', { request: asked.data['request'], code })).status,
    401,
    'used'
  )
  t.equal((await signIn.sessionsOf(id)).length, 1)
  const stored = JSON.stringify(await knex('mailed_codes').select('*'))
  for (const secret of [code, code.replace('-', ''), String(asked.data['request'])]) t.notOk(stored.includes(secret))
})

t.test('five tries end a code, also at once, and a code that is late is none', async t => {
  await known('tried')
  const asked = await post(closed, '/api/v1/account/sign-in/mail', { username: 'tried' })
  const code = codeIn((await server.next('tried@example.org')).text)
  await Promise.all(
    Array.from(
      { length: 12 },
      async () =>
        await post(closed, '/api/v1/account/sign-in/mailed', { request: asked.data['request'], code: 'AAAAA-AAAAA' })
    )
  )
  t.equal((await post(closed, '/api/v1/account/sign-in/mailed', { request: asked.data['request'], code })).status, 401)
  const again = await post(closed, '/api/v1/account/sign-in/mail', { username: 'tried' })
  const late = codeIn((await server.next('tried@example.org')).text)
  await knex('mailed_codes')
    .update({ asked_at: knex.raw("now() - interval '16 minutes'") })
    .where({ address: 'tried@example.org' })
  t.equal(
    (await post(closed, '/api/v1/account/sign-in/mailed', { request: again.data['request'], code: late })).status,
    401
  )
})

t.test(
  'nothing says which names there are, an address gets two codes an hour for one client, and a suspended person none',
  async t => {
    await known('flooded')
    const bytes = ({ text, data }: Answer): string =>
      text
        .replace(String(data['request']), '')
        .replaceAll(/"(?:request_id|generated_at|as_of|retrieved_at|joy_pointer)[^,}]*/g, '')
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => await post(closed, '/api/v1/account/sign-in/mail', { username: 'flooded' }))
    )
    const nobody = await post(closed, '/api/v1/account/sign-in/mail', { username: 'nobody-at-all' })
    for (const answer of answers) t.equal(bytes(answer).length, bytes(nobody).length)
    t.equal(answers[0]?.data['next'], nobody.data['next'])
    const id = await known('banned')
    await people.setSuspended(id, true)
    await post(closed, '/api/v1/account/sign-in/mail', { username: 'banned' })
    await known('after')
    await post(closed, '/api/v1/account/sign-in/mail', { username: 'after' })
    await server.next('after@example.org')
    for (let sent = 0; sent < 2; sent += 1) await server.next('flooded@example.org')
    t.equal(server.received.filter(({ to }) => to === 'flooded@example.org').length, 2)
    t.equal(server.received.filter(({ to }) => to === 'banned@example.org').length, 0)
  }
)

t.test(
  'to ask for a code writes as often for a name or an address that nobody has, so that its time tells nothing either',
  async t => {
    await known('timed')
    const tried = async (): Promise<number> =>
      Number((await knex('sign_in_counts').sum({ tried: 'tried' }))[0]?.['tried'])
    for (const [path, body] of [
      ['sign-in/mail', { username: 'timed' }],
      ['sign-in/mail', { username: 'nobody-at-all' }],
      ['sign-up', { address: 'timed@example.org' }],
      ['sign-up', { address: 'timed-not@example.org' }]
    ] as const) {
      const before = await tried()
      await post(open, `/api/v1/account/${path}`, body)
      t.equal(await tried(), before + 1, JSON.stringify(body))
    }
  }
)

t.test('whoever may makes an account: the terms are agreed to, and a name that is taken costs no code', async t => {
  t.equal((await post(closed, '/api/v1/account/sign-up', { address: 'new@example.org' })).status, 403)
  const asked = await post(open, '/api/v1/account/sign-up', { address: 'New@Example.org' })
  t.equal(asked.status, 200)
  const code = codeIn((await server.next('new@example.org')).text)
  const with_ = (more: object): object => ({
    request: asked.data['request'],
    code,
    username: 'newcomer',
    terms_version: termsVersion,
    ...more
  })
  await people.add('taken-already', [])
  for (const [more, field] of [
    [{ username: 'taken-already' }, 'username'],
    [{ username: 'admin' }, 'username'],
    [{ terms_version: '2020-01-01' }, 'terms_version']
  ] as const) {
    const refused = await post(open, '/api/v1/account/sign-up/confirm', with_(more))
    t.equal(refused.status, 400)
    t.match(refused.text, field)
  }
  t.equal(
    (await post(open, '/api/v1/account/sign-in/mailed', { request: asked.data['request'], code })).status,
    401,
    'a code for an account signs nobody in'
  )
  const made = await post(open, '/api/v1/account/sign-up/confirm', with_({}))
  t.equal(made.status, 200)
  const account = (await (await open.get('/api/v1/account', { headers: { Cookie: made.cookie } })).json()) as {
    data: Record<string, unknown>
  }
  t.match(account.data, { username: 'newcomer', roles: [], mail: { address: 'new@example.org' } })
  t.equal((await post(open, '/api/v1/account/sign-up/confirm', with_({ username: 'another' }))).status, 401, 'used')
})

t.test('an address that has an account gets the same answer, and a code that signs in to it', async t => {
  const id = await known('resident')
  const [asked, fresh] = [
    await post(open, '/api/v1/account/sign-up', { address: 'resident@example.org' }),
    await post(open, '/api/v1/account/sign-up', { address: 'unknown@example.org' })
  ]
  t.equal(asked.data['next'], fresh.data['next'])
  const code = codeIn((await server.next('resident@example.org')).text)
  const made = await post(open, '/api/v1/account/sign-up/confirm', {
    request: asked.data['request'],
    code,
    username: 'somebody-new',
    terms_version: termsVersion
  })
  t.equal(made.status, 200)
  t.equal((await signIn.sessionsOf(id)).length, 1)
  t.equal(await people.byName('somebody-new'), undefined)
})

t.test('an invitation lets one person in', async t => {
  t.equal((await post(byInvitation, '/api/v1/account/sign-up', { address: 'guest@example.org' })).status, 403)
  t.equal(
    (await post(byInvitation, '/api/v1/account/sign-up', { address: 'guest@example.org', invitation: 'made-up' }))
      .status,
    403
  )
  const { invitation } = await mailAddresses.invite()
  const enter = async (address: string, username: string): Promise<number> => {
    const asked = await post(byInvitation, '/api/v1/account/sign-up', { address, invitation })
    if (asked.status !== 200) return asked.status
    const code = codeIn((await server.next(address)).text)
    return (
      await post(byInvitation, '/api/v1/account/sign-up/confirm', {
        request: asked.data['request'],
        code,
        username,
        terms_version: termsVersion,
        invitation
      })
    ).status
  }
  t.same(
    (await Promise.all([enter('guest@example.org', 'guest-one'), enter('other@example.org', 'guest-two')])).sort(),
    [200, 403]
  )
  t.equal(await enter('third@example.org', 'guest-three'), 403)
})

t.test("an address is kept once its code has come back, needs a fresh sign-in, and is one person's", async t => {
  const { id } = await people.add('mover', [])
  const cookie = `pantry_session=${(await signIn.withCode('mover', await signIn.issueCode(id)))?.secret ?? ''}`
  const asked = await post(closed, '/api/v1/account/mail', { address: 'mover@example.org' }, cookie)
  const code = codeIn((await server.next('mover@example.org')).text)
  t.equal(await mailAddresses.of(id), undefined, 'not yet')
  const other = await people.add('thief', [])
  const theirs = `pantry_session=${(await signIn.withCode('thief', await signIn.issueCode(other.id)))?.secret ?? ''}`
  t.equal(
    (await post(closed, '/api/v1/account/mail/confirm', { request: asked.data['request'], code }, theirs)).status,
    400,
    'somebody else'
  )
  const again = await post(closed, '/api/v1/account/mail', { address: 'mover@example.org' }, cookie)
  const second = codeIn((await server.next('mover@example.org')).text)
  t.equal(
    (await post(closed, '/api/v1/account/mail/confirm', { request: again.data['request'], code: second }, cookie))
      .status,
    200
  )
  t.match(await mailAddresses.of(id), { address: 'mover@example.org' })
  const taken = await post(closed, '/api/v1/account/mail', { address: 'mover@example.org' }, theirs)
  const third = codeIn((await server.next('mover@example.org')).text)
  t.equal(
    (await post(closed, '/api/v1/account/mail/confirm', { request: taken.data['request'], code: third }, theirs))
      .status,
    400,
    "it is the mover's"
  )
  await knex('sessions')
    .where({ person: id })
    .update({ signed_in_at: knex.raw("now() - interval '11 minutes'") })
  t.equal((await post(closed, '/api/v1/account/mail', { address: 'else@example.org' }, cookie)).status, 403)
  t.equal((await post(closed, '/api/v1/account/mail/remove', {}, cookie)).status, 403)
  for (const address of ['no address', 'a@b\r\nBcc: c@example.org', 'a@example.org, b@example.org'])
    t.equal((await post(closed, '/api/v1/account/mail', { address }, theirs)).status, 400, address)
})

t.test('the pages do the same without scripts', async t => {
  await known('clicker')
  const form = async (path: string, fields: Record<string, string>): Promise<Response> =>
    await open.get(path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: own, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields).toString()
    })
  t.match(await (await open.get('/account/sign-in')).text(), /action="\/account\/sign-in\/mail"/)
  const asked = await (await form('/account/sign-in/mail', { username: 'clicker' })).text()
  const request = /name="request" value="([^"]+)"/.exec(asked)?.[1] ?? ''
  const wrong = await form('/account/sign-in/mailed', { request, code: 'AAAAA-AAAAA' })
  t.equal(wrong.status, 401)
  t.match(await wrong.text(), request, 'the form is there again')
  const signed = await form('/account/sign-in/mailed', {
    request,
    code: codeIn((await server.next('clicker@example.org')).text)
  })
  t.equal(signed.status, 303)
  t.match(signed.headers.get('set-cookie'), /^pantry_session=/)
  const ways = await (await open.get('/account/sign-in?next=%2Fauctions')).text()
  t.match(ways, 'href="/account/sign-up?next=%2Fauctions"', 'who has no account yet is led on as well')
  t.match(
    await (await open.get('/account/sign-up?next=%2Fauctions')).text(),
    /action="\/account\/sign-up"[^]*name="next" value="\/auctions"[^]*href="\/account\/sign-in\?next=%2Fauctions"/
  )
  const next = '/auctions'
  const newcomer = await (await form('/account/sign-up', { address: 'pages@example.org', next })).text()
  t.match(newcomer, 'name="next" value="/auctions"')
  const confirmed = await form('/account/sign-up/confirm', {
    request: /name="request" value="([^"]+)"/.exec(newcomer)?.[1] ?? '',
    code: codeIn((await server.next('pages@example.org')).text),
    username: 'by-pages',
    terms_version: termsVersion,
    next
  })
  t.equal(confirmed.status, 303)
  t.match(confirmed.headers.get('location'), /^\/auctions\?done=/)
})

t.test('a mail server that is away delays no answer, and gets the message later', async t => {
  await known('patient')
  server.refuse(true)
  const asked = await post(closed, '/api/v1/account/sign-in/mail', { username: 'patient' })
  t.equal(asked.status, 200)
  server.refuse(false)
  const code = codeIn((await server.next('patient@example.org')).text)
  t.equal((await post(closed, '/api/v1/account/sign-in/mailed', { request: asked.data['request'], code })).status, 200)
})
