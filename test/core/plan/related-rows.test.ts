import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { compareTables } from '../../../core/database/tables/compare.ts'
import { testDatabase } from '../../support/database.ts'
import { migrateRoot } from '../../support/migrate-root.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const root = join(packageFolder, 'examples/transit-stops')
const { database, url } = await testDatabase(t, 'empty')
await migrateRoot(database.bulk, root)
const { get, registry } = await serveGeneration(t, await generationOf(t, [root], { databaseUrl: url }))
const under = await serveGeneration(
  t,
  await generationOf(t, [root], { databaseUrl: url, baseUrl: 'https://data.example/transit' })
)

const station = 'de:11000:900160004'
const inPath = encodeURIComponent(station)
const pageOf = async (path: string): Promise<string> => await (await get(path)).text()
const relatedTo = async (path: string, ask = get): Promise<readonly string[]> =>
  [...((await ask(path)).headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="related"/g)].map(
    ([, target = '']) => target
  )

t.test('the database agrees with what the example declares of it', async t => {
  t.same(await compareTables(database.bulk, registry), [])
})

t.test('the page of a row links to the rows that it names, and to the lists of those that name it', async t => {
  const page = await pageOf(`/api/v1/stops/${inPath}%3A%3A7?format=html`)
  t.match(page, `<a href="/api/v1/stops/${inPath}?format=html">${station}</a>`)
  const [, lists] =
    /<h2>Entries that name this one<\/h2><ul>(.*?)<\/ul>/.exec(await pageOf(`/api/v1/stops/${inPath}?format=html`)) ??
    []
  t.equal(
    lists,
    `<li><a href="/api/v1/calls?station=${inPath}&amp;format=html">Calls · Station</a></li>` +
      `<li><a href="/api/v1/stops?station=${inPath}&amp;format=html">Stops · Station</a></li>`
  )
  t.match(await pageOf(`/api/v1/stops?station=${inPath}&format=html`), `>${station}::7</td>`)
  t.match(
    await pageOf(`/api/v1/calls?station=${inPath}&format=html`),
    new RegExp(`<a href="/api/v1/routes/[^"]+format=html">[^<]+</a></td>[^]*<a href="/api/v1/stops/${inPath}`)
  )
  t.notMatch(await pageOf('/api/v1/stops?format=html'), 'Entries that name')
})

t.test('the Link of a row leads to the same, and each target answers', async t => {
  const platform = await relatedTo(`/api/v1/stops/${inPath}%3A%3A7`)
  t.strictSame(platform, [
    `/api/v1/stops/${inPath}`,
    `/api/v1/calls?station=${inPath}%3A%3A7`,
    `/api/v1/stops?station=${inPath}%3A%3A7`
  ])
  t.strictSame(await relatedTo(`/api/v1/stops/${inPath}`), [
    `/api/v1/calls?station=${inPath}`,
    `/api/v1/stops?station=${inPath}`
  ])
  for (const target of platform) t.equal((await get(target)).status, 200, target)
  t.strictSame(await relatedTo(`/api/v1/stops/${inPath}%3A%3A7?fields=stop_name`), platform.slice(1))
  t.strictSame(await relatedTo('/api/v1/stops/none'), [])
  t.strictSame(await relatedTo('/api/v1/stops'), [], 'a list has more rows than a header should name')
  t.strictSame(await relatedTo(`/transit/api/v1/stops/${inPath}`, under.get), [
    `/transit/api/v1/calls?station=${inPath}`,
    `/transit/api/v1/stops?station=${inPath}`
  ])
})

t.test('OpenAPI says which operation each leads to, and tools say of what a parameter is the key', async t => {
  const { paths } = (await (await get('/api/openapi.json')).json()) as { paths: JsonObject }
  t.match(paths['/api/v1/stops/{stop_id}'], {
    get: {
      responses: {
        200: {
          links: {
            parent_station: {
              operationId: 'get_stops_stop',
              parameters: { stop_id: '$response.body#/data/stop/parent_station' }
            },
            'get_calls.station': { operationId: 'get_calls', parameters: { station: '$request.path.stop_id' } },
            'get_stops.station': { operationId: 'get_stops', parameters: { station: '$request.path.stop_id' } }
          }
        }
      }
    }
  })
  t.notMatch(paths['/api/v1/stops'], { get: { responses: { 200: { links: Object } } } })
  const { data } = (await (await get('/api/v1/tools?names=get_calls')).json()) as { data: { tools: unknown } }
  t.match(data.tools, [
    { parameters: [{ name: 'line', description: /this value\. \(Key of an entry of `routes`\.\)$/ }] }
  ])
})
