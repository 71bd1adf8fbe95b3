import { kinds } from '../../../core/kinds/index.ts'
import type { StatusOnlyAnswer } from '../../../core/kinds/status-only.ts'
import t from 'tap'
import { compileGeneration } from '../../../core/plan/generation.ts'
import { generationOf, library, serveGeneration, serveLibrary } from '../../support/serve-root.ts'
import { standard } from '../../support/standard.ts'

type Envelope = {
  data: Record<string, unknown>
  error?: { code: string; status: number; details?: Record<string, unknown> }
  _meta: Record<string, unknown>
}
const bodyOf = async (response: Response): Promise<Envelope> => (await response.json()) as Envelope

t.test('an enveloped answer carries its stamps and its links', async t => {
  const { get } = await serveLibrary(t)
  const response = await get('/api/v1/library/books?genre=novel', { headers: { 'Accept-Encoding': 'identity' } })
  const { data, _meta } = await bodyOf(response)
  t.equal(response.status, 200)
  t.equal(data.returned, 2)
  t.equal(_meta.endpoint, '/api/v1/library/books')
  t.match(_meta.request_id, /^req_[A-Za-z0-9_-]{16}$/)
  t.equal(_meta.request_id, response.headers.get('x-request-id'))
  t.match(response.headers.get('link'), /^<\/api\/v1\/library\/books>; rel="self", /)
  t.match(response.headers.get('ratelimit-policy'), '30;w=60')
  t.equal(
    Number(response.headers.get('content-length')),
    Buffer.byteLength(JSON.stringify(await bodyOf(await get('/api/v1/library/books?genre=novel'))))
  )
})

t.test('request ids and times differ between two answers, the entity tag does not', async t => {
  const { get } = await serveLibrary(t)
  const [a, b] = await Promise.all([get('/api/v1/library/books'), get('/api/v1/library/books')])
  t.not(a.headers.get('x-request-id'), b.headers.get('x-request-id'))
  t.equal(a.headers.get('etag'), b.headers.get('etag'))
})

t.test('a known entity tag is answered with 304 even when the client says no-cache', async t => {
  const { get } = await serveLibrary(t)
  const etag = (await get('/api/v1/library/books')).headers.get('etag') ?? ''
  for (const condition of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const response = await get('/api/v1/library/books', {
      headers: { 'If-None-Match': condition, 'Cache-Control': 'no-cache' }
    })
    t.equal(response.status, 304, condition)
    t.equal(await response.text(), '')
    t.equal(response.headers.get('etag'), etag)
    t.equal(response.headers.get('content-type'), null)
  }
  t.equal((await get('/api/v1/library/books', { headers: { 'If-None-Match': '"other"' } })).status, 200)
})

t.test('HEAD has the headers of GET and no body', async t => {
  const { get, raw } = await serveLibrary(t)
  const whole = await get('/api/v1/library/books')
  const head = await get('/api/v1/library/books', { method: 'HEAD' })
  for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control', 'vary'])
    t.equal(head.headers.get(name), whole.headers.get(name), name)
  t.match(await raw('HEAD /api/v1/library/books HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /\r\n\r\n$/)
})

t.test('OPTIONS is answered with one policy and the methods of the path', async t => {
  const { get } = await serveLibrary(t)
  const response = await get('/api/v1/library/loans', {
    method: 'OPTIONS',
    headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' }
  })
  t.equal(response.status, 204)
  t.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
  t.equal(response.headers.get('access-control-allow-origin'), '*')
  for (const name of [
    'x-content-type-options',
    'content-security-policy',
    'referrer-policy',
    'x-spec-version',
    'ratelimit-limit',
    'ratelimit-remaining'
  ])
    t.ok(response.headers.get(name), name)
  t.equal(response.headers.get('content-type'), null)
})

t.test('a surface of two methods keeps their headers apart, whichever comes first', async t => {
  const { registry } = await generationOf(t, [library])
  const surfaces = registry.surfaces.map(surface =>
    surface.fixed === undefined
      ? surface
      : { ...surface, status: 200, answer: { status: 200, data: null } satisfies StatusOnlyAnswer }
  )
  const generation = compileGeneration({
    registry: { ...registry, surfaces },
    kinds,
    handlers: standard.table,
    services: {},
    observe: now => ({ now, startedAt: now, subsystems: {} }),
    onFault: () => undefined
  })
  const { get } = await serveGeneration(t, generation)
  t.equal((await get('/api/v1/library/loans', { method: 'POST' })).headers.get('cache-control'), 'no-store')
  t.match((await get('/api/v1/library/loans')).headers.get('cache-control'), /^public, /)
  t.equal((await get('/api/v1/library/loans', { method: 'POST' })).headers.get('etag'), null)
})

t.test('a method the path does not have is a 405 that names the others, in the envelope', async t => {
  const { get } = await serveLibrary(t)
  const response = await get('/api/v1/library/books', { method: 'DELETE' })
  const { error } = await bodyOf(response)
  t.equal(response.status, 405)
  t.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS')
  t.equal(error?.code, 'METHOD_NOT_ALLOWED')
})

t.test('an unclaimed path is an enveloped 404 with suggestions', async t => {
  const { get } = await serveLibrary(t)
  const response = await get('/api/v1/library/bookz')
  const { data, error, _meta } = await bodyOf(response)
  t.equal(response.status, 404)
  t.equal(error?.code, 'NOT_FOUND')
  t.match(data.suggestions, { did_you_mean: ['/api/v1/library/books'], manifest: '/api/v1/manifest' })
  t.equal(_meta.endpoint, '/api/v1/library/bookz')
  t.equal(response.headers.get('cache-control'), 'no-store')
  t.equal(response.headers.get('access-control-allow-origin'), '*')
})

t.test('an unclaimed path outside the prefix has the bare error shape', async t => {
  const { get } = await serveLibrary(t)
  const response = await get('/nothing/here')
  t.equal(response.status, 404)
  t.strictSame(Object.keys((await response.json()) as object), ['error'])
})

t.test('both ways through the application give the same answers', async t => {
  const direct = await serveLibrary(t)
  const chained = await serveLibrary(t, { direct: false })
  const stable = (text: string): string =>
    text.replace(/req_[\w-]{16}/g, 'ID').replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
  const changing = [
    'x-request-id',
    'date',
    'ratelimit-remaining',
    'ratelimit-reset',
    'keep-alive',
    'etag',
    'content-length'
  ]
  for (const { examples } of direct.registry.surfaces) {
    for (const { url, method, body } of examples) {
      const init = {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })
      }
      const [a, b] = await Promise.all([direct.get(url, init), chained.get(url, init)])
      t.equal(a.status, b.status, `${method} ${url}`)
      t.equal(stable(await a.text()), stable(await b.text()), `${method} ${url}`)
      const headers = (response: Response): unknown =>
        [...response.headers].filter(([name]) => !changing.includes(name))
      t.strictSame(headers(a), headers(b), `${method} ${url}`)
    }
  }
})

t.test('compressed answers hold the same bytes', async t => {
  const { get, raw, url } = await serveLibrary(t)
  for (const path of ['/api/v1/library/books', '/api/openapi.json', '/api/v1/status']) {
    const plain = await (await get(path, { headers: { 'Accept-Encoding': 'identity' } })).text()
    for (const coding of ['gzip', 'br']) {
      const response = await get(path, { headers: { 'Accept-Encoding': coding } })
      const text = (await response.text()).replace(/req_[\w-]{16}|\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '')
      t.equal(text, plain.replace(/req_[\w-]{16}|\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, ''), `${path} ${coding}`)
      t.match(response.headers.get('vary'), 'Accept-Encoding')
    }
  }
  t.match(
    await raw(
      `GET /api/openapi.json HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`
    ),
    /Content-Encoding: br/i
  )
})

t.test('what HTTP/1.1 does not allow is refused', async t => {
  const { raw } = await serveLibrary(t)
  const statusOf = async (text: string): Promise<string> => (await raw(text)).split(' ')[1] ?? 'closed'
  t.equal(
    await statusOf('GET /api/v1/library/books HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'),
    '400',
    'two hosts'
  )
  t.equal(await statusOf('GET /api/v1/library/books HTTP/1.1\r\nConnection: close\r\n\r\n'), '400', 'no host')
  t.equal(
    await statusOf('TRACE /api/v1/library/books HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    '405',
    'TRACE'
  )
  t.equal(await statusOf('GET /api/v1/library/books%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), '400', 'NUL')
  t.equal(
    await statusOf('GET /api/v1/library/books/%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    '400',
    'broken escape'
  )
  t.equal(
    await statusOf('GET /api/v1/library/books?genre=%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    '400',
    'broken escape in the query'
  )
  t.equal(await statusOf('GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), '400', 'asterisk')
  t.equal(await statusOf('nonsense\r\n\r\n'), '400', 'nonsense')
  t.equal(
    await statusOf(
      'GET http://a.example/api/v1/library/books HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n'
    ),
    '200',
    'absolute form'
  )
})

t.test('a path declared with a slash at its end answers without it too', async t => {
  const { get } = await serveLibrary(t)
  t.equal((await get('/api/v1/')).status, 200)
  const { _meta } = await bodyOf(await get('/api/v1'))
  t.equal(_meta.endpoint, '/api/v1')
})
