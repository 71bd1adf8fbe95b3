import { Type } from '../canonical/type.ts'
import { Closed, Count, defineDocument, Nullable, Path, Text } from './define.ts'
import { graphOf } from './graph.ts'
import { conceptKinds } from './ontology.ts'
import { countBy, pathTo } from './pointers.ts'

const Document = Closed({
  '@kind': Type.Literal('kinds_directory'),
  count: Count,
  kinds: Type.Array(
    Closed({
      kind: Text,
      blurb: Text,
      instance_count: Count,
      property_count: Count,
      _links: Closed({ canonical: Nullable(Path) })
    })
  ),
  _links: Closed({
    canonical: Nullable(Path),
    ontology: Nullable(Path),
    graph: Nullable(Path),
    manifest: Nullable(Path),
    openapi: Nullable(Path)
  })
})

export const kinds = defineDocument(Document)({
  build: registry => {
    const instances = countBy(graphOf(registry).nodes, node => node.kind)
    const single = pathTo(registry, 'kind')
    const entries = conceptKinds(registry).map(({ kind, description, properties }) => ({
      kind,
      blurb: description,
      instance_count: instances[kind] ?? 0,
      property_count: properties.length,
      _links: { canonical: single?.replace('{kind}', kind) ?? null }
    }))
    return {
      '@kind': 'kinds_directory',
      count: entries.length,
      kinds: entries,
      _links: {
        canonical: pathTo(registry, 'kinds'),
        ontology: pathTo(registry, 'ontology'),
        graph: pathTo(registry, 'graph'),
        manifest: pathTo(registry, 'manifest'),
        openapi: pathTo(registry, 'openapi')
      }
    }
  }
})
