import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { h } from 'preact'
import t, { type Test } from 'tap'
import { cookiePath, sessionCookie, type Callers } from '../../../core/access/access.ts'
import { Type } from '../../../core/canonical/type.ts'
import { surfaceOf } from '../../../core/discovery/pointers.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { defineForm, definePage } from '../../../core/handler/page.ts'
import { SurfaceRouter } from '../../../core/http/surface-router.ts'
import { withBaseUrl } from '../../../core/registry/load.ts'
import { originPathsOf } from '../../../core/registry/place.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { readHtml } from '../../support/read-html.ts'
import { museum, registryOf } from '../../support/registry.ts'
import { serveKoa } from '../../support/serve-koa.ts'
import { generationOf, library, serveGeneration, type Served } from '../../support/serve-root.ts'
import { absent, askWire, startCache } from '../../support/shared-caches.ts'

const origin = 'https://data.example.org'
const base = '/pantry'

const serveUnder = async (t: Test, root: string): Promise<Served> =>
  serveGeneration(t, await generationOf(t, [root], { baseUrl: origin + base }))

const attributes = ['href', 'src', 'action']

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value) as object).flatMap(textsIn)

/** A text of JSON that is an address of the service, with or without the path that it is under. */
const isAddress = (text: string): boolean =>
  text.startsWith(`${origin}/`) || /^\/(api|explore|rels|schemas|pantry|\.well-known)\b\S*$/.test(text)

/** Returns all addresses of the service that an answer names, as paths. */
async function namedBy(answer: Response): Promise<string[]> {
  const body = await answer.text()
  const type = answer.headers.get('content-type') ?? ''
  const inHead = [...(answer.headers.get('link') ?? '').matchAll(/<([^>]*)>|rel="[\w-]+ ([^"]*)"/g)].map(
    ([, target, rel]) => target ?? rel ?? ''
  )
  const inBody = type.startsWith('text/html')
    ? readHtml(body).elements.flatMap(({ attributes: own }) => attributes.flatMap(name => own.get(name) ?? []))
    : type.startsWith('application/json')
      ? textsIn(JSON.parse(body)).filter(isAddress)
      : [...body.matchAll(/https:\/\/data\.example\.org[^\s)<'"]*/g)].map(([found]) => found)
  return [...inHead, ...inBody, ...(answer.headers.get('location') ?? '').split(' ')]
    .filter(target => target.startsWith('/') || target.startsWith(origin))
    .map(target => target.replace(origin, '').replace(/#.*/, ''))
}

/** Documents with examples of manifests, whose paths are written as in a manifest. */
const ofManifests = /^\/pantry\/(schemas|api\/v1\/kinds)\b/

for (const root of [library, museum])
  t.test(`every address that ${root} names under a path is below it, or of the origin, and answers`, async t => {
    const { get, registry } = await serveUnder(t, root)
    const missing = registry.surfaces.flatMap(({ examples }) =>
      examples.filter(({ expect }) => expect.status === 404).map(({ url }) => url)
    )
    const seen = new Set(missing)
    const waiting = [`${base}/`, `${base}/api/openapi.json`, `${base}/llms.txt`, `${base}/sitemap.xml`, '/robots.txt']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path) || path.includes('{')) continue
      seen.add(path)
      t.match(path, /^\/pantry(\/|$)|^\/\.well-known\/|^\/robots\.txt$/)
      const answer = await get(path)
      t.not(answer.status, 404, path)
      if (!ofManifests.test(path)) waiting.push(...(await namedBy(answer)))
    }
    t.ok(seen.size > 80, `${seen.size} addresses`)
  })

t.test('what is outside of the path is not there, and what belongs to the origin is there twice', async t => {
  const { get } = await serveUnder(t, library)
  for (const path of ['/', '/api/v1/status', '/pantryx/', '/llms.txt']) t.equal((await get(path)).status, 404, path)
  t.match(await (await get('/api/v1/statu')).json(), { data: { suggestions: { manifest: '/pantry/api/v1/manifest' } } })
  for (const path of ['/robots.txt', '/.well-known/security.txt', '/.well-known/mcp.json']) {
    t.equal((await get(path)).status, 200, path)
    t.match(await get(base + path), { status: 200 })
    t.match((await get(base + path)).headers.get('link'), `<${path}>; rel="canonical"`)
  }
  t.match(
    await (await get('/robots.txt')).text(),
    /\nAllow: \/pantry\/\n\nSitemap: https:\/\/data\.example\.org\/pantry\//
  )
  t.match(await (await get('/.well-known/security.txt')).text(), 'Canonical: https://data.example.org/.well-known/')
})

t.test('documents, links, redirects and failures carry the path', async t => {
  const { get } = await serveUnder(t, library)
  t.equal((await get(base)).status, 200, 'also without its slash')
  const moved = await get(`${base}/api/v1/library/books/?genre=novel`)
  t.match(moved, { status: 308 })
  t.equal(moved.headers.get('location'), `${base}/api/v1/library/books?genre=novel`)
  t.match(await (await get(`${base}/api/v1/library/books`)).json(), {
    _meta: { endpoint: `${base}/api/v1/library/books` }
  })
  t.match(await (await get(`${base}/api/v1/library/books?genre=poem`)).json(), {
    error: { docs: `${base}/api/v1/diagnostic#INVALID_INPUT` }
  })
  t.match(await (await get(`${base}/api/v1/nothing`)).json(), { _meta: {}, error: { code: 'NOT_FOUND' } }, 'of the API')
  t.match(await (await get(`${base}/api/v1/library/books/9780141439518?format=jsonld`)).json(), {
    '@id': `${origin}${base}/api/v1/library/books/9780141439518`,
    publisher: { url: origin + base }
  })
  const document = (await (await get(`${base}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { servers?: unknown }>>
  }
  t.match(document, { servers: [{ url: origin + base }] })
  t.ok(document.paths['/api/v1/library/books'], 'a path of OpenAPI is below the server')
  t.same(document.paths['/.well-known/mcp.json']?.['get']?.servers, [{ url: origin }])
  t.match(await (await get(`${base}/api/v1/manifest`)).json(), { service: { base_url: origin + base } })
  t.match(await (await get(`${base}/api/v1/tools?format=anthropic`)).json(), {
    origin,
    catalog_url: `${base}/api/v1/tools`
  })
})

const Fields = Type.Object({ isbn: Type.String(), note: Type.String() }, { additionalProperties: false })

/** Code that says paths without knowing of the path that the service is under, and a surface for who has a session. */
const written = (t: Test, baseUrl: string, callers?: Callers) =>
  handlerGeneration(
    t,
    {
      notes: {
        kind: 'page',
        path: '/notes',
        more: `shows: { books: '/api/v1/library/books{?genre}' }
forms:
  led: { path: /notes/led, sends: /api/v1/library/reading-note }
`,
        handler: definePage({
          shows: { books: Type.Unknown() },
          forms: { led: defineForm({ title: 'Not noted', fields: Fields, then: '/notes?noted=yes' }) },
          view: () => ({
            title: 'Notes',
            main: h('p', null, [
              h('a', { href: '/notes#top' }, 'own'),
              h('a', { href: '/elsewhere/of/the/origin' }, 'other'),
              h('a', { href: '//else.example/notes' }, 'host'),
              h('form', { method: 'post', action: '/notes/led' }, '/notes'),
              h('b', { 'data-from': '/api/v1/library/books?genre=a&limit=1' })
            ])
          })
        })
      },
      mine: {
        path: '/api/v1/mine',
        access: 'user',
        more: '',
        handler: defineHandlerFor<unknown>()({
          reply: Type.Object({ asked: Type.Integer() }),
          handle: async ({ ask }) => reply({ asked: (await ask('/api/v1/library/books'))?.status ?? 0 })
        })
      }
    },
    { base_url: baseUrl },
    undefined,
    callers === undefined ? {} : { services: { callers } }
  )

t.test('paths in views, forms and redirects that know nothing of the path gain it, and no other text does', async t => {
  for (const prefix of [base, '/api']) {
    const { get } = await serveGeneration(t, written(t, origin + prefix))
    const page = await (await get(`${prefix}/notes?genre=novel`)).text()
    t.match(page, `<a href="${prefix}/notes#top">own</a>`)
    t.match(page, '<a href="/elsewhere/of/the/origin">other</a>')
    t.match(page, '<a href="//else.example/notes">host</a>')
    t.match(page, `action="${prefix}/notes/led">/notes</form>`)
    t.match(page, `data-from="${prefix}/api/v1/library/books?genre=a&amp;limit=1"`)
    t.match(page, `<code>${prefix}/api/v1/library/books?genre=novel</code>`, 'where its data is')
    const sent = await get(`${prefix}/notes/led`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'isbn=9780141439518&note=x'
    })
    t.match([sent.status, sent.headers.get('location')], [303, `${prefix}/notes?noted=yes`])
    const foreign = await get(`${prefix}/notes/led`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://evil.example' },
      body: 'isbn=9780141439518&note=x'
    })
    t.equal(foreign.status, 403, 'a page of another origin')
  }
})

t.test('two services under one host have cookies of their own, and neither takes the session of the other', async t => {
  const callers: Callers = {
    find: presented =>
      Promise.resolve('session' in presented ? { credential: 'session', id: '1', grants: [] } : undefined),
    count: () => Promise.resolve({ isAllowed: true, limit: 30, windowSeconds: 60, remaining: 29, resetSeconds: 17 })
  }
  const urls = ['/a', '/a/b', ''].map(path => origin + path)
  t.same(urls.map(cookiePath), ['/a', '/a/b', '/'])
  t.same(urls.map(sessionCookie), ['__Secure-pantry_session.a', '__Secure-pantry_session.a.b', '__Host-pantry_session'])
  for (const own of urls) {
    const { get } = await serveGeneration(t, written(t, own, callers))
    const path = `${own.slice(origin.length)}/api/v1/mine`
    for (const other of urls) {
      const answer = await get(path, { headers: { Cookie: `${sessionCookie(other)}=secret` } })
      t.equal(answer.status, own === other ? 200 : 401, `${other} at ${own}`)
    }
    t.match(await (await get(path, { headers: { Cookie: `${sessionCookie(own)}=secret` } })).json(), {
      data: { asked: 200 }
    })
  }
})

t.test('an application that mounts a service under a path has the rest for itself', async t => {
  const pantry = new SurfaceRouter({ generation: await generationOf(t, [library], { baseUrl: `${origin}${base}` }) })
  const app = new Koa()
  app.use(pantry.routes())
  app.use(pantry.allowedMethods())
  app.use(ctx => {
    ctx.body = `own ${ctx.path}`
  })
  const url = await serveKoa(t, app)
  t.match(await (await fetch(`${url}${base}/`)).text(), `href="${base}/explore"`)
  t.equal((await fetch(`${url}${base}/api/v1/library/books`)).status, 200)
  t.equal(await (await fetch(`${url}/`)).text(), 'own /')
  t.equal(await (await fetch(`${url}/api/v1/library/books`)).text(), 'own /api/v1/library/books')
})

t.test('a registry moves from one path to another, and back to what it was', async t => {
  const { registry } = await registryOf([library], origin)
  const paths = ({ surfaces }: typeof registry): readonly string[] => surfaces.map(({ route }) => route.path)
  const under = withBaseUrl(registry, `${origin}/a`)
  t.ok(paths(under).includes('/a/api/v1/library/books'))
  t.ok(paths(withBaseUrl(under, `${origin}/b`)).includes('/b/api/v1/library/books'))
  t.same(paths(withBaseUrl(under, origin)), paths(registry))
  t.equal(withBaseUrl(under, origin).moved, undefined)
  t.not(under.digest, registry.digest)
})

t.test(
  'of two surfaces that serve a document, the one named after the service is meant, whatever the path is',
  async t => {
    const { registry } = await registryOf([library], origin)
    const { id } = registry.service
    const surfaces = registry.surfaces
      .slice(0, 2)
      .map((surface, at) => ({
        ...surface,
        serves: 'twice',
        route: { ...surface.route, path: at === 0 ? '/first' : `/${id}/second` }
      }))
    for (const baseUrl of [origin, `${origin}/${id}`])
      t.equal(surfaceOf(withBaseUrl({ ...registry, surfaces }, baseUrl), 'twice')?.id, surfaces[1]?.id, baseUrl)
  }
)

t.test('nginx that passes paths on unchanged leads to everything', { skip: absent('nginx') }, async t => {
  const { server, registry } = await serveUnder(t, library)
  const { told: socketPath } = await startCache(t, 'nginx', (server.address() as AddressInfo).port)
  t.ok(originPathsOf(registry).length > 4)
  for (const path of [`${base}/`, `${base}/api/v1/library/books`, ...originPathsOf(registry)])
    t.equal((await askWire({ socketPath }, path, {})).status, 200, path)
  const moved = await askWire({ socketPath }, `${base}/api/v1/library/books/`, {})
  t.equal(moved.headers.location, `${base}/api/v1/library/books`)
})
