import { Type } from '../canonical/type.ts'
import { unknownId } from '../handler/errors.ts'
import { Closed, Count, defineDocument, ListOf, NameParameter, Nullable, Path, Text, Texts } from './define.ts'
import { graphOf } from './graph.ts'
import { conceptKinds } from './ontology.ts'
import { countBy, documentPathOf } from './pointers.ts'

const KindsDocument = Closed({
  '@kind': Type.Literal('kinds_directory'),
  count: Count,
  kinds: ListOf({
    kind: Text,
    blurb: Text,
    instance_count: Count,
    property_count: Count,
    _links: Closed({ canonical: Nullable(Path) })
  }),
  _links: Closed({
    canonical: Nullable(Path),
    ontology: Nullable(Path),
    graph: Nullable(Path),
    manifest: Nullable(Path),
    openapi: Nullable(Path)
  })
})

export const kinds = defineDocument(KindsDocument)({
  build: registry => {
    const instances = countBy(graphOf(registry).nodes, node => node.kind)
    const entries = conceptKinds(registry).map(({ kind, description, properties }) => ({
      kind,
      blurb: description,
      instance_count: instances[kind] ?? 0,
      property_count: properties.length,
      _links: { canonical: documentPathOf(registry, 'kind', kind) }
    }))
    return {
      '@kind': 'kinds_directory',
      count: entries.length,
      kinds: entries,
      _links: {
        canonical: documentPathOf(registry, 'kinds'),
        ontology: documentPathOf(registry, 'ontology'),
        graph: documentPathOf(registry, 'graph'),
        manifest: documentPathOf(registry, 'manifest'),
        openapi: documentPathOf(registry, 'openapi')
      }
    }
  }
})

const sampleSize = 5

const KindDocument = Closed({
  '@kind': Type.Literal('kind_self_declaration'),
  kind: Text,
  declaration: Closed({
    i_am: Text,
    what_i_am: Text,
    what_others_use_me_for: Text,
    what_not_to_conclude: Text,
    properties: Texts
  }),
  instance_count: Count,
  outgoing_edge_count: Count,
  incoming_edge_count: Count,
  instances_sample: ListOf({ id: Text, label: Text, path: Nullable(Type.String()) }, { maxItems: sampleSize }),
  _links: Closed({ canonical: Nullable(Path), parent: Nullable(Path), ontology: Nullable(Path), graph: Nullable(Path) })
})

export const kind = defineDocument(KindDocument)({
  input: { params: Closed({ kind: NameParameter('One of the kinds of the ontology.') }) },
  build: (registry, request) => {
    const known = conceptKinds(registry)
    const name = String(request.params.kind)
    const entry = known.find(({ kind }) => kind === name)
    if (entry === undefined)
      throw unknownId(
        'kind',
        name,
        known.map(({ kind }) => kind)
      )
    const { nodes, edges } = graphOf(registry)
    const instances = nodes.filter(({ kind }) => kind === name)
    const isOwn = (id: string): boolean => id.startsWith(`${name}:`)
    return {
      '@kind': 'kind_self_declaration',
      kind: name,
      declaration: {
        i_am: name,
        what_i_am: entry.description,
        what_others_use_me_for: entry.purpose,
        what_not_to_conclude: entry.limits,
        properties: entry.properties.map(property => property.name)
      },
      instance_count: instances.length,
      outgoing_edge_count: edges.filter(({ from }) => isOwn(from)).length,
      incoming_edge_count: edges.filter(({ to }) => isOwn(to)).length,
      instances_sample: instances.slice(0, sampleSize).map(({ id, label, path }) => ({ id, label, path })),
      _links: {
        canonical: documentPathOf(registry, 'kind', name),
        parent: documentPathOf(registry, 'kinds'),
        ontology: documentPathOf(registry, 'ontology'),
        graph: documentPathOf(registry, 'graph')
      }
    }
  }
})
