import t from 'tap'
import { testDatabase } from '../../../support/database.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

type Graph = {
  node_count: number
  edge_count: number
  nodes: { slug: string; kind: string; title: string; path: string | null }[]
  edges: { from: string; to: string }[]
}

t.test('the graph of the files holds what they name, and every edge has both its ends', async t => {
  const { url } = await testDatabase(t)
  const { get, registry } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const read = async (): Promise<Graph> =>
    ((await (await get('/api/v1/connections.json')).json()) as { data: Graph }).data
  const graph = await read()
  const slugs = new Set(graph.nodes.map(({ slug }) => slug))
  t.same([graph.node_count, graph.edge_count], [slugs.size, graph.edges.length])
  for (const { from, to } of graph.edges) if (!slugs.has(from) || !slugs.has(to)) t.fail(`${from} to ${to}`)
  for (const name of registry.corpora.keys()) t.ok(slugs.has(`corpora/${name}`), name)
  const paths = new Set(registry.surfaces.map(({ route }) => route.path))
  for (const { kind, title, path } of graph.nodes)
    t.ok(title !== '' && (kind !== 'surface' || paths.has(path ?? '')), title)
  t.ok(
    graph.edges.some(({ from, to }) => from === 'README.md' && to === 'core/README.md'),
    'a link in a document is an edge'
  )
  t.same(await read(), graph)
})
