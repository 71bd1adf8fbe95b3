// test: slow.
import t from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const faults: unknown[] = []
const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url, faults }))
const read = async (path: string) => get(`/api/text-mode?path=${encodeURIComponent(path)}`)

t.test('every example of every public surface that is answered with GET can be read as prose', async t => {
  let pages = 0
  for (const surface of registry.surfaces.filter(
    ({ access, route, id }) =>
      access.includes('public') && route.methods.includes('GET') && !['text-mode', 'favicon'].includes(id)
  )) {
    for (const { method, url: path, headers } of surface.examples) {
      if (method !== 'GET' || Object.keys(headers).length > 0) continue
      const asked = await get(path, { headers: { Accept: 'application/json' } })
      const { data } = (await asked.json().catch(() => ({ data: {} }))) as { data?: unknown }
      const response = await read(path)
      const text = await response.text()
      const refused = asked.status === 400 || asked.status === 404 || (asked.status >= 400 && data === null)
      t.equal(response.status, refused ? asked.status : 200, path)
      t.equal(response.headers.get('cache-control'), refused ? 'no-store' : asked.headers.get('cache-control'), path)
      if (refused) continue
      pages += 1
      t.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8', path)
      t.ok(text.trim().length > 20 && !/^[{[<]/.test(text), path)
      if (asked.status >= 400) t.match(text, `status ${asked.status}`, path)
    }
  }
  t.ok(pages > 100, `${pages} pages`)
  t.same(faults, [])
})

t.test('without a path the front door is read, with a word on how to go on', async t => {
  const text = await (await get('/api/text-mode')).text()
  t.match(text, /^This is text mode/)
  t.match(text, 'Written out from /api/v1/welcome')
})

t.test('what is said comes first; counts, filters, links and the like come last', async t => {
  for (const [path, said, aside] of [
    ['/api/v1/koan', 'Rotation rule', 'Total entries in corpus'],
    ['/api/v1/gaps', 'Strength', 'Filter vocabulary'],
    ['/api/v1/universal/card/op-op01-001-en', 'Natural token: Roronoa Zoro', 'Openapi: ']
  ] as const) {
    const text = await (await read(path)).text()
    const about = text.indexOf('About this page')
    t.ok(text.indexOf(said) > 0 && text.indexOf(said) < about, `${path}: ${said}`)
    t.ok(text.indexOf(aside) > about, `${path}: ${aside}`)
  }
})

t.test('a price that is withheld is not said to be none', async t => {
  t.match(await (await read('/api/v1/universal/card/op-op01-001-en')).text(), 'Price: not given')
})

t.test('the query of the named path is passed on', async t => {
  t.match(await (await read('/api/v1/gaps?domain=license&status=named')).text(), /Domain: license\nStatus: named/)
  t.equal((await read('/api/v1/gaps?domain=cookery')).status, 400)
})

t.test('what cannot be read is refused with a reason', async t => {
  for (const path of [
    '/api/text-mode',
    '/api/text-mode?path=/api/v1/koan',
    '/api/text%2Dmode',
    '/api/text%2Dmode?path=/api/text%252Dmode',
    '',
    'koan',
    'https://a.example/',
    '/a#b',
    '/a b',
    '/%zz',
    `/${'a'.repeat(2000)}`
  ])
    t.equal((await read(path)).status, 400, path)
  for (const path of ['/api/v1/nothing', '//a.example/', '/api/v1/cards/batch', '/api/v1/koan/'])
    t.equal((await read(path)).status, 404, path)
  const { error } = (await (await read('/api/v1/tarot/card/the-intern')).json()) as {
    error: { code: string; details: { asked: string; known_ids: string[] } }
  }
  t.match(error, { code: 'NOT_FOUND', details: { asked: '/api/v1/tarot/card/the-intern' } })
  t.ok(error.details.known_ids.includes('the-fool'), 'what the surface said of it is passed on')
})

t.test('nothing of the caller reaches the surface that is read', async t => {
  const text = await (
    await get(`/api/text-mode?path=${encodeURIComponent('/api/v1/echo')}`, {
      headers: { 'User-Agent': 'canary', 'Accept-Language': 'cy-canary' }
    })
  ).text()
  t.match(text, 'Accept: application/json')
  t.notMatch(text, 'canary')
})
