import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { newKey, type Callers } from '../../../core/access/access.ts'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { Type } from '../../../core/canonical/type.ts'
import { exposedHeaders } from '../../../core/vocabulary/response-headers.ts'
import { ServiceSchema } from '../../../core/manifest/service.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { libraryIn } from '../../support/command-line.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { build } from '../discovery/fixture.ts'
import { registryOf } from '../../support/registry.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const app = 'https://app.example.org'
const local = 'http://localhost:5173'
const key = newKey('agt')

const callers: Callers = {
  find: presented =>
    Promise.resolve(
      'session' in presented
        ? { credential: 'session', id: '1', grants: [] }
        : presented.key === key
          ? { credential: 'bearer', id: '1', grants: [] }
          : undefined
    ),
  count: () => Promise.resolve({ isAllowed: true, limit: 30, windowSeconds: 60, remaining: 29, resetSeconds: 17 })
}

const handler = defineHandlerFor<unknown>()({
  reply: Type.Object({ done: Type.Boolean() }),
  handle: () => reply({ done: true })
})

async function served(t: Test, origins: readonly string[] = [app, local, 'https://port.example:443']) {
  const of = (path: string, access: string, more = '') => ({ path: `/api/v1/${path}`, access, more, handler })
  const generation = handlerGeneration(
    t,
    {
      keyed: of('keyed', 'agent'),
      either: of('either', '[user, agent]'),
      'either.post': of('either', '[user, agent]', 'method: POST\n'),
      known: of('known', '[public, agent]'),
      mine: of('mine', 'user'),
      open: of('open', 'public'),
      'mixed.post': of('open', 'agent', 'method: POST\n')
    },
    { cors: { origins: [...origins] }, base_url: 'http://127.0.0.1:8080' },
    undefined,
    { services: { callers } }
  )
  const { get } = await serveGeneration(t, generation)
  return (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    get(`/api/v1/${path}`, { method, headers })
}

const bearer = { Authorization: `Bearer ${key}` }
const allowed = ({ headers }: Response): string | null => headers.get('access-control-allow-origin')

t.test('a script of a listed origin may call with a key, and reads the answer and why it is refused', async t => {
  const get = await served(t)
  for (const origin of [app, local, 'https://port.example'])
    for (const path of ['keyed', 'either', 'known']) {
      const answer = await get(path, { ...bearer, Origin: origin })
      t.match([answer.status, allowed(answer)], [200, origin], path)
      t.match(answer.headers.get('vary'), /^Origin, /)
      t.match(
        answer.headers.get('access-control-expose-headers'),
        'ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit'
      )
      t.equal(answer.headers.get('access-control-allow-credentials'), null)
    }
  for (const [path, headers, status] of [
    ['keyed', {}, 401],
    ['keyed?nothing=1', { Authorization: 'Bearer wrong' }, 401]
  ] as const) {
    const refused = await get(path, { ...headers, Origin: app })
    t.match([refused.status, allowed(refused), refused.headers.get('vary')], [status, app, 'Origin'])
  }
})

t.test('another origin gets nothing, and caches are told that it matters', async t => {
  const get = await served(t)
  for (const origin of [
    'https://evil.example',
    'https://app.example.org.evil.example',
    'http://app.example.org',
    'null',
    ''
  ])
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await get('keyed', { ...bearer, ...(origin === '' ? {} : { Origin: origin }) }, method)
      t.equal(allowed(answer), null, `${method} ${origin}`)
      t.equal(answer.headers.get('access-control-allow-headers'), null)
      t.match(answer.headers.get('vary'), 'Origin')
    }
})

t.test('an answer that is kept is given to each origin with its own name', async t => {
  const root = libraryIn(t.testdir())
  const file = join(root, 'manifests/service.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}cors: { origins: ['${app}', '${local}'] }\n`)
  const hours = readFileSync(join(root, 'manifests/branches.yaml'), 'utf8')
  writeFileSync(join(root, 'manifests/branches.yaml'), hours.replace(/^access: .*$/m, 'access: [public, agent]'))
  const { get } = await serveGeneration(t, await generationOf(t, [root]))
  const path = /^path: (.*)$/m.exec(hours)?.[1] ?? ''
  for (const [origin, named] of [
    [app, app],
    [local, local],
    ['https://evil.example', null],
    [app, app]
  ] as const) {
    const answer = await get(path, { headers: { Origin: origin } })
    t.match([answer.status, allowed(answer)], [200, named])
    t.match(answer.headers.get('vary'), 'Origin, ')
  }
})

t.test('a session is never lent to another origin', async t => {
  const get = await served(t)
  const session = { Cookie: 'pantry_session=secret', Origin: app }
  for (const path of ['mine', 'either']) {
    const answer = await get(path, session)
    t.equal(allowed(answer), null, path)
    t.equal(answer.headers.get('access-control-allow-credentials'), null)
  }
  const written = await get('either', session, 'POST')
  t.match([written.status, allowed(written)], [403, null])
  t.match([(await get('either', { ...bearer, Origin: app }, 'POST')).status], [200])
  const preflight = await get('mine', { Origin: app, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS')
  t.match([preflight.status, allowed(preflight), preflight.headers.get('vary')], [204, null, null])
})

t.test('a preflight names the origin, the methods and Authorization', async t => {
  const get = await served(t)
  const asked = {
    Origin: app,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization, content-type'
  }
  const { status, headers } = await get('either', asked, 'OPTIONS')
  t.equal(status, 204)
  t.equal(headers.get('access-control-allow-origin'), app)
  t.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS, POST')
  t.equal(headers.get('access-control-allow-headers'), '*, Authorization')
  t.equal(headers.get('access-control-allow-credentials'), null)
  t.equal(headers.get('vary'), 'Origin')
  for (const path of ['nothing/here', 'open']) t.equal(allowed(await get(path, asked, 'OPTIONS')), '*', path)
  const mixed = await get('open', { ...bearer, Origin: app }, 'POST')
  t.match([mixed.status, allowed(mixed)], [200, app])
})

t.test('what is open stays open to all, and a service that lists none answers as before', async t => {
  const get = await served(t)
  t.equal(allowed(await get('open', { Origin: 'https://evil.example' })), '*')
  t.notMatch((await get('open')).headers.get('vary'), 'Origin')
  const none = await served(t, [])
  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await none('keyed', { ...bearer, Origin: app }, method)
    t.equal(headers.get('access-control-allow-origin'), null)
    t.notMatch(headers.get('vary') ?? '', 'Origin')
  }
})

t.test('an origin is https without a path, or of this machine', t => {
  const check = compileSchema(ServiceSchema.properties.cors)
  const isRight = (origin: string): boolean => check({ origins: [origin] }).length === 0
  for (const origin of [
    app,
    local,
    'https://a.example:8443',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'https://xn--a.example'
  ])
    t.ok(isRight(origin), origin)
  for (const origin of [
    '*',
    'null',
    '',
    'http://a.example',
    `${app}/`,
    `${app}/app`,
    'https://*.example.org',
    'https://A.example',
    'https://a@b.example',
    'http://localhost.example'
  ])
    t.notOk(isRight(origin), origin)
  t.not(check({ origins: [] }).length, 0)
  t.not(check({ origins: [app, app] }).length, 0)
  t.end()
})

type OpenApi = Readonly<{ paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> }>

t.test('scripts may read every header that OpenAPI documents for an answer of the service', async t => {
  const { registry } = await registryOf()
  const documented = new Set(
    Object.values((build('openapi', { registry }) as OpenApi).paths)
      .flatMap(methods => Object.values(methods))
      .flatMap(({ responses }) => Object.values((responses ?? {}) as Readonly<Record<string, JsonObject>>))
      .flatMap(({ headers }) => Object.keys(headers ?? {}))
  )
  const exposed = new Set(exposedHeaders.split(', '))
  t.ok(documented.size > 10)
  t.same(
    [...documented].filter(name => !exposed.has(name)).sort(),
    ['Cache-Control', 'Content-Language'].filter(name => documented.has(name)),
    'but for those that they may read anyway'
  )
  t.ok(exposed.has('Idempotent-Replayed'))
})
