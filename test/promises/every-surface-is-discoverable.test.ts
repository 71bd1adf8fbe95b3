import t from 'tap'
import { serveLibrary, generationOf, library, serveGeneration } from '../support/serve-root.ts'

type Listed = { id: string }

/** Over the real roots, the fixture root alone, and both together. */
const roots: readonly (readonly string[])[] = [['.'], [library], ['.', library]]

for (const names of roots) {
  t.test(`each surface of ${names.join(' + ')} appears exactly once in manifest, status, tools and OpenAPI`, async t => {
    const { get, registry } = await serveGeneration(t, await generationOf(t, names))
    const json = async <T>(path: string): Promise<T> => await (await get(path)).json() as T
    const ids = registry.surfaces.map(({ id }) => id).sort()

    const manifest = await json<{ resources: Record<string, Listed[]> }>('/api/v1/manifest')
    t.strictSame(Object.values(manifest.resources).flat().map(({ id }) => id).sort(), ids, 'manifest')

    const status = await json<{ data: { endpoints: Listed[] } }>('/api/v1/status')
    t.strictSame(status.data.endpoints.map(({ id }) => id).sort(), ids, 'status')

    const tools = await json<{ data: { tools: { meta: { surface_id: string } }[] } }>('/api/v1/tools')
    t.strictSame(tools.data.tools.map(({ meta }) => meta.surface_id).sort(), ids, 'tools')

    const openapi = await json<{ paths: Record<string, Record<string, { operationId?: string }>> }>('/api/openapi.json')
    const operations = Object.entries(openapi.paths).flatMap(([path, item]) => Object.keys(item).filter(name => ['get', 'post', 'put', 'patch', 'delete'].includes(name)).map(method => `${method.toUpperCase()} ${path}`))
    t.strictSame(operations.sort(), registry.surfaces.flatMap(({ route }) => route.methods.map(method => `${method} ${route.path.length > 1 ? route.path.replace(/\/$/, '') : route.path}`)).sort(), 'openapi')
  })
}

t.test('llms.txt names every group of the index', async t => {
  const { get, registry } = await serveLibrary(t)
  const text = await (await get('/llms.txt')).text()
  for (const { title, surfaces } of registry.service.index) {
    t.match(text, `## ${title}`)
    for (const id of surfaces) t.match(text, registry.byId.get(id)?.route.path ?? id)
  }
})
