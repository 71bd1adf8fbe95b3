import t from 'tap'
import { generationOf, serveGeneration, serveLibrary } from '../../support/serve-root.ts'

const ofOneRequest = ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset']
const through = [{ Via: '1.1 cache' }, { 'X-Forwarded-For': '192.0.2.1' }, { Forwarded: 'for=192.0.2.1' }]

t.test('what belongs to one request is named, so that no cache passes it on', async t => {
  const { get } = await serveLibrary(t)
  const books = await get('/api/v1/library/books')
  const unchanged = await get('/api/v1/library/books', {
    headers: { 'If-None-Match': books.headers.get('etag') ?? '' }
  })
  t.equal(unchanged.status, 304)
  const scheme = { headers: { 'X-Forwarded-Proto': 'https' } }
  for (const { headers } of [
    books,
    unchanged,
    await get('/api/v1/status'),
    await get('/api/v1/library/books', scheme)
  ]) {
    t.match(headers.get('cache-control'), /^public, max-age=\d+, s-maxage=\d+, no-cache="[^"]+"$/)
    t.same(
      /"(.*)"/
        .exec(headers.get('cache-control') ?? '')?.[1]
        ?.toLowerCase()
        .split(', ')
        .sort(),
      [...ofOneRequest].sort()
    )
    for (const name of ofOneRequest) t.ok(headers.has(name), name)
  }
})

t.test('a gateway gets an answer that it may give to anyone, without what belongs to one request', async t => {
  const { get } = await serveLibrary(t)
  for (const headers of through) {
    const books = await get('/api/v1/library/books', { headers })
    const unchanged = await get('/api/v1/library/books', {
      headers: { ...headers, 'If-None-Match': books.headers.get('etag') ?? '' }
    })
    t.equal(unchanged.status, 304)
    for (const answer of [books, unchanged, await get('/api/v1/status', { headers })]) {
      t.match(answer.headers.get('cache-control'), /^public, max-age=\d+, s-maxage=\d+$/)
      for (const name of ofOneRequest) t.notOk(answer.headers.has(name), name)
      for (const name of ['ratelimit-limit', 'ratelimit-policy', 'x-spec-version']) t.ok(answer.headers.has(name), name)
    }
  }
})

t.test('what is not stored has all its headers, whoever forwards the request', async t => {
  const { get } = await serveLibrary(t)
  for (const headers of [{}, ...through]) {
    for (const answer of [
      await get('/api/v1/library/nothing', { headers }),
      await get('/api/v1/library/books?genre=nonsense', { headers })
    ]) {
      t.equal(answer.headers.get('cache-control'), 'no-store')
      for (const name of ofOneRequest) t.ok(answer.headers.has(name), name)
    }
  }
})

t.test('the answers of every surface have one Vary line', async t => {
  const { raw, registry } = await serveLibrary(t)
  for (const { route, examples } of registry.surfaces.filter(({ route }) => route.methods.includes('GET'))) {
    const url = examples.find(({ method }) => method === 'GET')?.url ?? route.path
    const [head = ''] = (await raw(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 20)).split('\r\n\r\n')
    if (/^HTTP\/1\.1 [23]/.test(head)) t.equal(head.match(/^vary:/gim)?.length, 1, url)
  }
})

t.test('OPTIONS says a whole window, also where only some may ask', async t => {
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.']))
  const window = ['limit', 'policy', 'remaining', 'reset'].map(name => `ratelimit-${name}`)
  const paths = new Set(registry.surfaces.map(({ route }) => route.path.replaceAll(/\{\w+\}/g, 'x')))
  t.ok(paths.size > 100)
  for (const path of paths) {
    const { headers } = await get(path, { method: 'OPTIONS' })
    t.same(
      window.filter(name => !headers.has(name)),
      [],
      path
    )
  }
})

t.test('a browser may send any header with any method, and reads why a method is refused', async t => {
  const { get } = await serveLibrary(t)
  const asked = {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'DELETE',
    'Access-Control-Request-Headers': 'traceparent, cache-control, x-own, authorization'
  }
  const preflight = await get('/api/v1/library/books', { method: 'OPTIONS', headers: asked })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('allow'), 'GET, HEAD, OPTIONS', 'which methods there are is told all the same')
  t.equal(preflight.headers.get('access-control-allow-methods'), '*')
  // The wildcard stands for every header but this one (Fetch §3.2.5).
  t.same(preflight.headers.get('access-control-allow-headers')?.split(', '), ['*', 'Authorization'])
  const refused = await get('/api/v1/library/books', { method: 'DELETE', headers: { Origin: 'https://a.example' } })
  t.equal(refused.status, 405)
  t.equal(refused.headers.get('access-control-allow-origin'), '*')
})

t.test('no part of an answer can be asked for', async t => {
  const { get } = await serveLibrary(t)
  const part = await get('/api/v1/library/books', { headers: { Range: 'bytes=5-' } })
  t.equal(part.status, 200)
  t.equal(part.headers.get('accept-ranges'), 'none')
})

t.test('a slash too many at the end leads to the path without it, and nowhere else', async t => {
  const { get, raw } = await serveLibrary(t)
  for (const method of ['GET', 'HEAD']) {
    const moved = await get('/api/v1/library/books/?genre=novel', { method })
    t.equal(moved.status, 308)
    t.equal(moved.headers.get('location'), '/api/v1/library/books?genre=novel')
  }
  t.equal(
    (await get('/api/v1/library/reading-note/', { method: 'POST', body: '{}' })).headers.get('location'),
    '/api/v1/library/reading-note'
  )
  const doubled = await raw('GET /api/v1/library/books// HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.match(doubled, /^HTTP\/1\.1 308 [^]*\r\nLocation: \/api\/v1\/library\/books\r\n/)
  for (const path of ['/nothing/', '//a.example/', '/nothing//at//all'])
    t.match(await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 404 /, path)
})
