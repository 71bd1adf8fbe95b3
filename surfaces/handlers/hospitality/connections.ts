import Type from 'typebox'
import { defineDerived, reply, type DerivedFrom } from 'pantry/handler'
import { joinFiles } from '../../hospitality/project/join-files.ts'
import { readProject } from '../../hospitality/project/read-project.ts'

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const nodeKinds = ['document', 'corpus', 'surface'] as const
const edgeKinds = ['references', 'sister', 'recurses_to'] as const

function graphOf ({ registry, pathTo }: DerivedFrom) {
  const surfaces = registry.surfaces.map(({ id, route, summary }) => ({ id, path: route.path, description: summary }))
  const { nodes, edges } = joinFiles(readProject(), [...registry.corpora.values()], surfaces)
  const count = (items: readonly Readonly<{ kind: string }>[], kind: string): number => items.filter(item => item.kind === kind).length
  return {
    '@kind': 'connections-graph' as const,
    extraction_heuristic: {
      documents: 'Markdown files that came with the installation: at the top, and beside code, manifests and corpora.',
      references: 'A text that names a file, a corpus or a path of this service; a schema that says which corpus its entries refer to.',
      sister: 'Two that name each other. One edge stands for both directions.',
      recurses_to: 'One that names itself.',
      note: `Read from the files when it is first asked for. It says who names whom, and not why; the reasoned graph is at ${pathTo('graph')}.`
    },
    node_count: nodes.length,
    edge_count: edges.length,
    node_kinds: { document: count(nodes, 'document'), corpus: count(nodes, 'corpus'), surface: count(nodes, 'surface') },
    edge_kinds: { references: count(edges, 'references'), sister: count(edges, 'sister'), recurses_to: count(edges, 'recurses_to') },
    nodes,
    edges,
    related: {
      graph: pathTo('graph'), manifest: pathTo('manifest'), kingdoms: pathTo('hospitality/kingdoms'), contributors: pathTo('hospitality/contributors')
    }
  }
}

/** Which files of the project name which. It reads across all corpora and documents, and a declaration reads one. */
export default defineDerived({
  reply: Type.Object({
    '@kind': Type.Literal('connections-graph'),
    extraction_heuristic: Type.Object({ documents: Text, references: Text, sister: Text, recurses_to: Text, note: Text }, { description: 'How nodes and edges were found.' }),
    node_count: Count,
    edge_count: Count,
    node_kinds: Type.Object({ document: Count, corpus: Count, surface: Count }),
    edge_kinds: Type.Object({ references: Count, sister: Count, recurses_to: Count }),
    nodes: Type.Array(Type.Object({
      slug: Text,
      kind: Type.Enum(nodeKinds),
      title: Text,
      path_in_repo: Type.Union([Text, Type.Null()], { description: 'File or folder of the project.' }),
      path: Type.Union([Text, Type.Null()], { description: 'Path of a surface.' }),
      byte_count: Count,
      line_count: Count,
      entry_count: Type.Union([Count, Type.Null()], { description: 'Entries of a corpus.' }),
      pull_excerpt: Text
    })),
    edges: Type.Array(Type.Object({ from: Text, to: Text, kind: Type.Enum(edgeKinds), mentions: Type.Integer({ minimum: 1 }) })),
    related: Type.Object({ graph: Text, manifest: Text, kingdoms: Text, contributors: Text })
  }),
  derive: from => reply(graphOf(from))
})
