import t from 'tap'
import { conceptsOf } from '../../../core/discovery/concepts.ts'
import { conceptProperties, resourceProperties } from '../../../core/discovery/graph.ts'
import { conceptKinds } from '../../../core/discovery/ontology.ts'
import { build, registry } from './fixture.ts'

type Graph = {
  nodes: { id: string; kind: string }[]
  edges: { from: string; to: string; kind: string; via: string }[]
  node_count: number
  edge_count: number
  index: Record<'by_kind' | 'by_edge_kind', Record<string, number>>
}
const graph = build('graph') as Graph
const edge = (from: string, kind: string, to: string) =>
  graph.edges.find(one => one.from === from && one.kind === kind && one.to === to)

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
  t.match(edge('resource:harbours', 'grounds_in', 'assumption:time'), { via: 'tag water' })
  t.match(edge('resource:harbour', 'explained_by', 'methodology:tides'), { via: 'declared' })
  t.match(edge('resource:harbour', 'instance_of', 'resource:harbours'), { via: 'corpus harbours' })
  t.match(edge('methodology:tides', 'cites', 'assumption:time'), { via: 'declared' })
  t.equal(edge('resource:manifest', 'grounds_in', 'assumption:time'), undefined)
  t.end()
})

t.test('nodes carry the properties that the ontology names, declared and computed', t => {
  const properties = (id: string) =>
    (graph.nodes.find(node => node.id === id) as { properties?: object } | undefined)?.properties
  t.same(properties('resource:harbour'), { since: '2026-11-20' }, 'the ontology of the fixture names no other')
  const all = registry.byId.get('seen.post')!
  t.match(resourceProperties(all), {
    idempotent: true,
    side_effecting: false,
    versioned: true,
    method_count: 1,
    host: null
  })
  t.notOk(
    'idempotent' in resourceProperties(registry.byId.get('mirror')!),
    'of a handler with other methods nothing is known'
  )
  const [time, tides] = conceptsOf(registry)
  const [, assumption, methodology] = conceptKinds(registry)
  const surfaceCount = graph.edges.filter(({ to, kind }) => to === 'assumption:time' && kind === 'grounds_in').length
  t.ok(surfaceCount > 0)
  t.same(conceptProperties(time!, assumption!.properties, graph.edges, registry.surfaces), {
    extension_count: 0,
    surface_count: surfaceCount,
    cited_elsewhere: 0,
    cited_by: 'tides',
    is_cited: true
  })
  t.same(properties('assumption:time'), {
    extension_count: 0,
    surface_count: surfaceCount,
    cited_elsewhere: 0,
    cited_by: 'tides',
    is_cited: true
  })
  t.same(conceptProperties(tides!, methodology!.properties, graph.edges, registry.surfaces), { formats_count: 1 })
  t.end()
})

t.test('a kind counts its instances, and an unknown one is refused with the known ones', t => {
  t.match(build('kinds'), {
    count: 3,
    kinds: [
      { kind: 'resource', instance_count: registry.surfaces.length },
      { kind: 'assumption', instance_count: 1 },
      { kind: 'methodology', instance_count: 1 }
    ]
  })
  t.match(build('kind', { request: { params: { kind: 'methodology' } } }), {
    instance_count: 1,
    outgoing_edge_count: 1,
    incoming_edge_count: 1,
    instances_sample: [{ id: 'methodology:tides' }]
  })
  t.throws(() => build('kind', { request: { params: { kind: 'fish' } } }), {
    status: 404,
    details: { known_ids: ['resource', 'assumption', 'methodology'] }
  } as unknown as Error)
  t.end()
})
