import t from 'tap'
import { anonymous, holdsKey, keyTag, newKey, type Caller, type Callers } from '../../../core/access/access.ts'
import { accessTable, isOpen, type Access } from '../../../core/access/index.ts'
import { Type } from '../../../core/canonical/type.ts'
import { notFound, SurfaceError, unavailable } from '../../../core/handler/errors.ts'
import { defineHandlerFor } from '../../../core/handler/handler.ts'
import type { Service } from '../../../core/manifest/service.ts'
import { compileGate } from '../../../core/plan/gate.ts'
import type { PlanRequest } from '../../../core/plan/request.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

/** Access kinds of the framework, and one that a service declares. */
const declared = {
  'wholesale-key': {
    meaning: 'a wholesale partner with a key',
    credential: {
      name: 'wholesaleKey',
      challenge: 'Bearer',
      scheme: { type: 'apiKey', in: 'header', name: 'X-Wholesale-Key' }
    }
  }
}
const accessModules = accessTable(declared)
const accessKinds = Object.keys(accessModules)
const closedKinds = accessKinds.filter(one => !isOpen([one]))
const credentialOf = (access: Access) => accessModules[access]?.credential

const service = (baseUrl: string): Service => ({ access: declared, base_url: baseUrl }) as unknown as Service

/** Everyone by the text of the session or the key: `name grant grant`, spaces as dots. */
const callers = (isAllowed = true): Callers<string> => ({
  find: presented => {
    const [credential = '', ...grants] = ('key' in presented ? presented.key : presented.session).split('.')
    return Promise.resolve(credential === 'wrong' ? undefined : { credential, id: '1', grants })
  },
  count: () =>
    Promise.resolve({ isAllowed, limit: 30, windowSeconds: 60, remaining: isAllowed ? 29 : 0, resetSeconds: 17 })
})

const header = (access: Access, secret: string): Record<string, string> =>
  access === 'agent'
    ? { authorization: `Bearer ${secret}` }
    : access === 'wholesale-key'
      ? { 'x-wholesale-key': secret }
      : { cookie: `pantry_session=${secret}` }

const request = (headers: PlanRequest['headers'], method = 'GET'): PlanRequest =>
  ({ method, headers, caller: anonymous, now: new Date() }) as unknown as PlanRequest
const gate = async (
  access: Access | readonly Access[],
  headers: PlanRequest['headers'],
  method = 'GET',
  who: Callers<string> | undefined = callers(),
  carriesPii = false
): Promise<Caller> =>
  (
    await compileGate(
      { access: [access].flat(), carriesPii },
      service('http://localhost:3000'),
      who
    )(request({ host: 'localhost:3000', ...headers }, method))
  ).caller
const refused = async (
  asked: Promise<unknown>
): Promise<{ code?: string; status?: number; details?: unknown; headers?: Record<string, string> }> =>
  asked.then(
    () => ({}),
    (error: unknown) => error as object
  )

t.test('an anonymous caller is let into what is open, and asked for the right credential elsewhere', async t => {
  t.same(
    accessKinds.filter(one => isOpen([one])),
    ['public']
  )
  t.same(await gate('public', {}), anonymous)
  for (const access of closedKinds) {
    t.match(
      await refused(gate(access, {})),
      {
        code: 'UNAUTHORIZED',
        status: 401,
        details: { access },
        headers: { 'WWW-Authenticate': `${credentialOf(access)?.challenge} realm="pantry"` }
      },
      access
    )
  }
})

t.test('a credential of another kind is no credential: a session is never an agent, a key never a person', async t => {
  for (const access of closedKinds) {
    for (const other of closedKinds) {
      if (credentialOf(other) === credentialOf(access)) continue
      t.match(
        await refused(gate(access, header(other, `${credentialOf(other)?.name}.admin`))),
        { code: 'UNAUTHORIZED', status: 401 },
        `${other} asks for ${access}`
      )
    }
    t.match(await gate(access, header(access, `${credentialOf(access)?.name}.admin`)), {
      credential: credentialOf(access)?.name
    })
  }
})

t.test('a caller with the credential and without the grant is refused by name', async t => {
  t.match(await refused(gate('admin', header('user', 'session'))), {
    code: 'FORBIDDEN',
    status: 403,
    details: { access: 'admin' },
    headers: {}
  })
  t.match(await gate('admin', header('user', 'session.admin')), { grants: ['admin'] })
})

t.test('a token that nobody has is told from none, and one without the scope from both (RFC 6750 §3.1)', async t => {
  const challengesFor = async (access: Access | readonly Access[], headers: Record<string, string>): Promise<unknown> =>
    (await refused(gate(access, headers))).headers?.['WWW-Authenticate']
  const unknown = { authorization: 'Bearer wrong' }
  t.equal(await challengesFor('agent', {}), 'Bearer realm="pantry"')
  t.equal(await challengesFor('agent', unknown), 'Bearer realm="pantry", error="invalid_token"')
  t.equal(
    await challengesFor(['user', 'agent'], unknown),
    'Cookie realm="pantry", Bearer realm="pantry", error="invalid_token"'
  )
  t.equal(await challengesFor('agent', header('user', 'wrong')), 'Bearer realm="pantry"', 'a session is no token')
  t.equal(await challengesFor('agent', header('user', 'session')), 'Bearer realm="pantry"')
  t.equal(await challengesFor('wholesale-key', { 'x-wholesale-key': 'wrong' }), 'Bearer realm="pantry"', 'no bearer')
  const clerk = compileGate(
    { access: ['agent'], scope: 'lend', carriesPii: false },
    service('http://localhost:3000'),
    callers()
  )
  const asked = (secret: string) => clerk(request({ host: 'localhost:3000', ...header('agent', secret) }))
  t.match(await asked('bearer.lend'), { caller: { grants: ['lend'] } })
  t.match(await refused(asked('bearer.read')), {
    status: 403,
    message: 'This surface is for an agent whose key has the scope `lend`.',
    headers: { 'WWW-Authenticate': 'Bearer realm="pantry", error="insufficient_scope", scope="lend"' }
  })
  t.match(await refused(gate('agent', unknown)), { message: /^The key is unknown/ })
  t.match(await refused(gate('user', header('user', 'wrong'))), { message: /^The session is unknown/ })
})

t.test('with a list, each of its kinds is let in, and the challenge names all', async t => {
  t.match(await gate(['user', 'agent'], header('agent', 'bearer')), { credential: 'bearer' })
  t.match(await gate(['user', 'agent'], header('user', 'session')), { credential: 'session' })
  t.match(await refused(gate(['user', 'agent'], {})), {
    status: 401,
    details: { access: ['user', 'agent'] },
    headers: { 'WWW-Authenticate': 'Cookie realm="pantry", Bearer realm="pantry"' }
  })
})

t.test('where everyone may call, a credential tells more and a wrong one takes nothing away', async t => {
  const both = ['public', 'admin']
  t.same(await gate(both, {}), anonymous)
  t.same(await gate(both, header('user', 'wrong')), anonymous)
  t.match(
    await gate(both, header('user', 'session')),
    { credential: 'session' },
    'a person without the role is let in as who they are'
  )
  t.same(
    await gate(both, { ...header('user', 'session'), ...header('agent', 'bearer') }),
    anonymous,
    'two at once are none'
  )
})

t.test(
  'what is wrong, twice there or of another scheme is no credential; a session with a key is a mistake',
  async t => {
    for (const headers of [
      { cookie: 'pantry_session=wrong' },
      { cookie: 'pantry_session=session; pantry_session=session' },
      { cookie: 'other=session' },
      { cookie: '__Host-pantry_session=session' },
      { cookie: ['x=1', 'xpantry_session=session'] }
    ]) {
      t.match(await refused(gate('user', headers)), { status: 401 }, JSON.stringify(headers))
    }
    for (const headers of [
      { authorization: 'Bearer' },
      { authorization: 'Basic bearer' },
      { authorization: 'Bearer a b' },
      { authorization: 'Bearer wrong' }
    ])
      t.match(await refused(gate('agent', headers)), { status: 401 }, JSON.stringify(headers))
    t.match(
      await gate('agent', { authorization: 'bearer bearer' }),
      { credential: 'bearer' },
      'names of schemes have no letter case (RFC 9110 §11.1)'
    )
    t.match(await refused(gate('user', { ...header('user', 'session'), ...header('agent', 'bearer') })), {
      code: 'INVALID_INPUT',
      status: 400
    })
  }
)

t.test('over https the cookie has the prefix that no subdomain can set', async t => {
  const secure = compileGate({ access: ['user'], carriesPii: false }, service('https://cards.example'), callers())
  t.match((await secure(request({ cookie: '__Host-pantry_session=session' }))).caller, { credential: 'session' })
  t.match(await refused(secure(request({ cookie: 'pantry_session=session' }))), { status: 401 })
})

t.test('a session changes nothing from a page of another site', async t => {
  for (const more of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' }
  ]) {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      t.match(
        await refused(gate('user', { ...header('user', 'session'), ...more }, method)),
        { code: 'FORBIDDEN', status: 403 },
        `${method} ${JSON.stringify(more)}`
      )
  }
  t.match(await gate('user', { ...header('user', 'session'), 'sec-fetch-site': 'same-origin' }, 'POST'), {
    credential: 'session'
  })
  t.match(
    await gate('agent', { ...header('agent', 'bearer'), origin: 'https://elsewhere.example' }, 'POST'),
    { credential: 'bearer' },
    'no browser sends a key by itself'
  )
})

t.test(
  "on this machine a session is nobody's under another name, and nothing is begun there: a name may lead here that is not ours",
  async t => {
    const elsewhere = {
      host: 'rebound.example:3000',
      origin: 'http://rebound.example:3000',
      'sec-fetch-site': 'same-origin'
    }
    t.match(await refused(gate('user', { ...header('user', 'session'), ...elsewhere })), { status: 401 })
    t.same(await gate(['public', 'user'], { ...header('user', 'session'), ...elsewhere }), anonymous)
    t.match(
      await refused(gate(['public', 'user'], elsewhere, 'POST')),
      { code: 'FORBIDDEN', status: 403, details: { host: 'rebound.example:3000' } },
      'where a session begins'
    )
    t.match(
      await gate('agent', { ...header('agent', 'bearer'), ...elsewhere }, 'POST'),
      { credential: 'bearer' },
      'no browser sends a key by itself'
    )
    for (const host of ['localhost:3000', '127.0.0.1:8080', '[::1]:3000', 'LOCALHOST'])
      t.match(await gate('user', { ...header('user', 'session'), host }, 'POST'), { credential: 'session' }, host)
    const behindGateway = compileGate(
      { access: ['user'], carriesPii: false },
      service('https://cards.example'),
      callers()
    )
    t.match(
      (await behindGateway(request({ cookie: '__Host-pantry_session=session', host: 'inner:8080' }))).caller,
      { credential: 'session' },
      'a gateway may change the name'
    )
  }
)

t.test('a caller with a credential that no access kind has is a fault that says which there are', async t => {
  // @ts-expect-error `agent` is an access kind: its credential is `bearer`.
  const wrong: Callers = { ...callers(), find: () => Promise.resolve({ credential: 'agent', grants: [] }) }
  const declares: Callers<'wholesaleKey'> = {
    ...callers(),
    find: () => Promise.resolve({ credential: 'wholesaleKey', grants: [] })
  }
  const nameless: Callers = { ...callers(), find: () => Promise.resolve({ id: '1', grants: [] }) }
  t.match(await gate('wholesale-key', header('wholesale-key', 'any'), 'GET', declares), { credential: 'wholesaleKey' })
  const known = '`session` (of `user`, `admin`), `bearer` (of `agent`), `wholesaleKey` (of `wholesale-key`)'
  for (const access of ['agent', ['public', 'agent']])
    for (const [who, what] of [
      [wrong, 'with the credential `agent`'],
      [nameless, 'without `credential`']
    ] as const) {
      const error = await refused(gate(access, header('agent', 'any'), 'GET', who))
      t.notOk(error instanceof SurfaceError, 'it is logged, and answered with 500')
      const message = `The service \`callers\` in surfaces/services: \`find\` gave a caller ${what}. It must be one of: ${known}.`
      t.match(error, { message })
    }
})

t.test('too many requests are refused with when to come again; each answer says what is left', async t => {
  t.match(await refused(gate('agent', header('agent', 'bearer'), 'GET', callers(false))), {
    code: 'RATE_LIMITED',
    status: 429,
    headers: { 'Retry-After': '17' },
    rate: { limit: 30, windowSeconds: 60, remaining: 0, resetSeconds: 17 }
  })
  const admitted = await compileGate(
    { access: ['agent'], carriesPii: false },
    service('http://localhost'),
    callers()
  )(request(header('agent', 'bearer')))
  t.same(admitted.rate, { limit: 30, windowSeconds: 60, remaining: 29, resetSeconds: 17 })
})

t.test('what a surface asks is asked as its caller, whatever its headers say', async t => {
  const inner = compileGate({ access: ['admin'], carriesPii: false }, service('http://localhost'), callers())
  t.match(await refused((async () => inner({ ...request(header('user', 'session.admin')), depth: 1 }))()), {
    status: 401
  })
  t.match(await inner({ ...request({}), depth: 1, caller: { credential: 'session', grants: ['admin'] } }), {
    caller: { grants: ['admin'] }
  })
})

t.test('nobody is known where nobody tells callers apart: 503, and 401 without a credential', async t => {
  t.match(
    await refused(gate('user', header('user', 'session'), 'GET', undefined)),
    {},
    'the default is the callers of the test'
  )
  const none = compileGate({ access: ['user'], carriesPii: false }, service('http://localhost'), undefined)
  t.match(await refused((async () => none(request(header('user', 'session'))))()), {
    code: 'SOURCE_UNAVAILABLE',
    status: 503
  })
  t.match(await refused((async () => none(request({})))()), { status: 401 })
})

t.test('a key has 256 random bits, and a checksum that finds every changed character', async t => {
  const key = newKey('agt')
  t.match(key, /^pantry_agt_[\w-]{49}$/)
  t.not(newKey('agt'), key)
  t.equal(keyTag(key), 'agt')
  for (let at = 7; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a'
    t.equal(keyTag(key.slice(0, at) + other + key.slice(at + 1)), undefined, `character ${at}`)
  }
  t.equal(keyTag(`${key}x`), undefined)
  t.ok(holdsKey(`/api/v1/cards?key=${key}`) && holdsKey(`key%3D${key.slice(0, 24)}`))
  t.ok(
    holdsKey(`/?key=${key.replaceAll('_', '%5F')}`) && holdsKey(`/?a=%&key=${key.replace('pantry', '%70antr%79')}`),
    'also where it is written in another way'
  )
  t.notOk(holdsKey('/pantry_cards/agt'))
})

t.test('while callers cannot be told apart, everybody reads what is open to everyone', async t => {
  const away = unavailable('The list of callers is away.', 1)
  const found = callers()
  for (const who of [
    { ...found, find: () => Promise.reject(away) },
    { ...found, count: () => Promise.reject(away) }
  ]) {
    const cookie = header('user', 'session')
    const ask = async (access: readonly Access[], method: string): Promise<unknown> =>
      await gate(access, cookie, method, who)
    t.same(await ask(['public', 'user'], 'GET'), anonymous)
    t.same(await ask(['public', 'user'], 'HEAD'), anonymous)
    const origin = { ...cookie, origin: 'http://localhost:3000' }
    t.equal(await refused(gate(['public', 'user'], origin, 'POST', who)), away, 'nothing is done as somebody else')
    t.equal(await refused(ask(['user'], 'GET')), away)
    t.equal(
      await refused(gate(['public', 'user'], cookie, 'GET', who, true)),
      away,
      'nobody is told that there is nothing'
    )
  }
  const broken = new Error('no shelf')
  t.equal(
    await refused(
      gate(['public', 'user'], header('user', 'session'), 'GET', { ...found, find: () => Promise.reject(broken) })
    ),
    broken,
    'a mistake of ours is not hidden'
  )
})

t.test('a refusal of a caller with a credential counts, and shows the limit of that caller', async t => {
  const lacking = header('agent', 'bearer')
  const own = { limit: 30, windowSeconds: 60, remaining: 29, resetSeconds: 17 }
  t.match(await refused(gate('admin', header('admin', 'session'))), { code: 'FORBIDDEN', rate: own })
  t.match(await refused(gate('user', lacking)), { code: 'UNAUTHORIZED', rate: own })
  t.match(await refused(gate('user', lacking, 'GET', callers(false))), { code: 'RATE_LIMITED' })
  const away: Callers<string> = { ...callers(), count: () => Promise.reject(unavailable('Away.', 5)) }
  t.match(await refused(gate('user', lacking, 'GET', away)), { code: 'UNAUTHORIZED', rate: undefined })
  t.match(await refused(gate('user', {})), { code: 'UNAUTHORIZED', rate: undefined })
})

t.test('what fails after the gate shows the limit of the caller, too', async t => {
  const key = newKey('agt')
  const handler = defineHandlerFor<unknown>()({
    reply: Type.Object({}),
    handle: () => {
      throw notFound('tree', 'oak')
    }
  })
  const known: Callers = {
    find: () => Promise.resolve({ credential: 'bearer', id: '1', grants: [] }),
    count: () => Promise.resolve({ isAllowed: true, limit: 7, windowSeconds: 60, remaining: 6, resetSeconds: 17 })
  }
  const given = { tree: { path: '/api/v1/tree', access: 'agent', more: '', handler } }
  const generation = handlerGeneration(t, given, {}, undefined, { services: { callers: known } })
  const { get } = await serveGeneration(t, generation)
  const { status, headers } = await get('/api/v1/tree', { headers: { Authorization: `Bearer ${key}` } })
  t.same([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], [404, '7', '6'])
})
