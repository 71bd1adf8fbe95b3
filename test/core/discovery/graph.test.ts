import t from 'tap'
import { build, registry } from './fixture.ts'

type Graph = { nodes: { id: string, kind: string }[], edges: { from: string, to: string, kind: string, via: string }[], node_count: number, edge_count: number, index: Record<'by_kind' | 'by_edge_kind', Record<string, number>> }
const graph = build('graph') as Graph
const edge = (from: string, kind: string, to: string) => graph.edges.find(one => one.from === from && one.kind === kind && one.to === to)

t.test('surfaces and concepts are nodes, each once', t => {
  t.equal(new Set(graph.nodes.map(node => node.id)).size, graph.node_count)
  t.equal(graph.index.by_kind.resource, registry.surfaces.length)
  t.equal(graph.index.by_kind.methodology, 1)
  t.end()
})

t.test('edges join nodes that exist, and are not repeated', t => {
  const ids = new Set(graph.nodes.map(node => node.id))
  for (const { from, to } of graph.edges) t.ok(ids.has(from) && ids.has(to), `${from} ${to}`)
  t.equal(new Set(graph.edges.map(({ from, kind, to }) => `${from} ${kind} ${to}`)).size, graph.edge_count)
  t.end()
})

t.test('rules, declarations and corpora give edges', t => {
  t.match(edge('resource:harbours', 'grounds_in', 'cosmology_axis:time'), { via: 'tag water' })
  t.match(edge('resource:harbour', 'explained_by', 'methodology:tides'), { via: 'declared' })
  t.match(edge('resource:harbour', 'instance_of', 'resource:harbours'), { via: 'corpus harbours' })
  t.match(edge('methodology:tides', 'cites', 'cosmology_axis:time'), { via: 'declared' })
  t.equal(edge('resource:manifest', 'grounds_in', 'cosmology_axis:time'), undefined)
  t.end()
})

t.test('a kind counts its instances, and an unknown one is refused with the known ones', t => {
  t.match(build('kinds'), { count: 2, kinds: [{ kind: 'resource', instance_count: registry.surfaces.length }, { kind: 'methodology', instance_count: 1 }] })
  t.match(build('kind', { request: { params: { kind: 'methodology' } } }), { instance_count: 1, outgoing_edge_count: 1, incoming_edge_count: 1, instances_sample: [{ id: 'methodology:tides' }] })
  t.throws(() => build('kind', { request: { params: { kind: 'fish' } } }), { status: 404, details: { known_kinds: ['resource', 'methodology'] } } as unknown as Error)
  t.end()
})
