import { Type, Count, defineDerived, nullable, reply, Text } from 'pantry/handler'
import { connectionsOf, edgeKinds, nodeKinds, readProject } from '../../playful/project.ts'

/**
 * Returns the references between files of the project. Needs code because it reads all corpora and documents, and a
 * manifest can only show one corpus.
 */
export default defineDerived({
  reply: Type.Object({
    '@kind': Type.Literal('connections-graph'),
    extraction_heuristic: Type.Object(
      { documents: Text, references: Text, sister: Text, recurses_to: Text, note: Text },
      { description: 'How nodes and edges were found.' }
    ),
    node_count: Count,
    edge_count: Count,
    node_kinds: Type.Object({ document: Count, corpus: Count, surface: Count }),
    edge_kinds: Type.Object({ references: Count, sister: Count, recurses_to: Count }),
    nodes: Type.Array(
      Type.Object({
        slug: Text,
        kind: Type.Enum(nodeKinds),
        title: Text,
        path_in_repo: nullable(Text, 'File or folder of the project.'),
        path: nullable(Text, 'Path of a surface.'),
        byte_count: Count,
        line_count: Count,
        entry_count: nullable(Count, 'Entries of a corpus.'),
        pull_excerpt: Text
      })
    ),
    edges: Type.Array(
      Type.Object({ from: Text, to: Text, kind: Type.Enum(edgeKinds), mentions: Type.Integer({ minimum: 1 }) })
    ),
    related: Type.Object({ graph: Text, manifest: Text, kingdoms: Text, contributors: Text })
  }),
  derive: ({ registry, pathTo }) =>
    reply({
      '@kind': 'connections-graph',
      ...connectionsOf(readProject(), registry, pathTo('graph')),
      related: {
        graph: pathTo('graph'),
        manifest: pathTo('manifest'),
        kingdoms: pathTo('hospitality/kingdoms'),
        contributors: pathTo('hospitality/contributors')
      }
    })
})
