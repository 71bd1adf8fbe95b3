import type { Corpus } from 'pantry/data'
import { joinFiles } from './join-files.ts'

export const nodeKinds = ['document', 'corpus', 'surface'] as const
export const edgeKinds = ['references', 'sister', 'recurses_to'] as const

const count = (items: readonly Readonly<{ kind: string }>[], kind: string): number =>
  items.filter(item => item.kind === kind).length

type Served = Readonly<{
  corpora: ReadonlyMap<string, Corpus>
  surfaces: readonly Readonly<{ id: string; route: Readonly<{ path: string }>; summary: string }>[]
}>

/**
 * Returns the documents, corpora and surfaces with their mentions of each other. `reasoned` is the path of the graph
 * that gives reasons.
 */
export function connectionsOf(
  project: Parameters<typeof joinFiles>[0],
  { corpora, surfaces: all }: Served,
  reasoned: string
) {
  const surfaces = all.map(({ id, route, summary }) => ({ id, path: route.path, description: summary }))
  const { nodes, edges } = joinFiles(project, [...corpora.values()], surfaces)
  return {
    extraction_heuristic: {
      documents: 'Markdown files that came with the installation: at the top, and beside code, manifests and corpora.',
      references:
        'A text that names a file, a corpus or a path of this service; a schema that says which corpus its entries refer to.',
      sister: 'Two that name each other. One edge stands for both directions.',
      recurses_to: 'One that names itself.',
      note: `Read from the files when it is first asked for. It says who names whom, and not why; the reasoned graph is at ${reasoned}.`
    },
    node_count: nodes.length,
    edge_count: edges.length,
    node_kinds: {
      document: count(nodes, 'document'),
      corpus: count(nodes, 'corpus'),
      surface: count(nodes, 'surface')
    },
    edge_kinds: {
      references: count(edges, 'references'),
      sister: count(edges, 'sister'),
      recurses_to: count(edges, 'recurses_to')
    },
    nodes,
    edges
  }
}
