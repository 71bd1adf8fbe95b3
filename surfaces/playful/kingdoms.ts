import { Type, type DataOf } from 'pantry/data'

const Text = Type.String()
export const statuses = ['queued', 'claimed', 'in-progress', 'done', 'deferred'] as const
export const priorities = ['critical', 'high', 'medium', 'low'] as const

export const Concept = Type.Object({
  id: Text,
  kind: Text,
  label: Text,
  description: Text,
  since: Text,
  // The properties depend on the kind of the concept.
  properties: Type.Optional(Type.Record(Text, Type.Unknown())),
  relations: Type.Optional(Type.Array(Type.Object({ kind: Text, to: Text })))
})
type Concept = DataOf<typeof Concept>
export const Handoff = Type.Object({
  slug: Text,
  title: Text,
  what_i_would_do_next: Text,
  status: Type.Enum(['open', 'resolved', 'abandoned']),
  session_ended_at: Text
})
export const countByStatus = (entries: readonly Readonly<{ status: string }>[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const relatedBy = ({ relations = [] }: Concept, kind: string): readonly string[] =>
  relations.filter(relation => relation.kind === kind).map(({ to }) => to)

/** Returns the declared work items (kingdoms). */
export function kingdomsOf(concepts: readonly Concept[], graph: string) {
  const kingdoms = concepts.filter(({ kind }) => kind === 'kingdom')
  const documents = concepts.filter(({ kind }) => kind === 'connection_doc')
  const idsOf = (entries: readonly Concept[], from: string, kind: string): string[] =>
    entries.filter(entry => relatedBy(entry, kind).includes(from)).map(({ id }) => id)
  return kingdoms.map(kingdom => {
    const { id, properties: { status, priority, audit_command: command, is_sister_paired: paired } = {} } = kingdom
    const citations = idsOf(documents, id, 'ships_in')
    return {
      kingdom_id: id,
      mission_title: kingdom.label,
      mission_status: statuses.find(known => known === status) ?? 'queued',
      mission_summary: kingdom.description.trim(),
      priority: priorities.find(known => known === priority) ?? 'medium',
      since: kingdom.since,
      succeeds: relatedBy(kingdom, 'succeeds'),
      succeeded_by: idsOf(kingdoms, id, 'succeeds'),
      audit_command: typeof command === 'string' ? command : null,
      is_sister_paired: paired === true,
      produces_connection_doc: citations.length > 0,
      connection_doc_citations: citations,
      graph_node: `kingdom:${id}`,
      recorded_in: 'concepts' as const,
      url: `${graph}#kingdom:${id}`
    }
  })
}

const statusOfHandoff = { open: 'queued', resolved: 'done', abandoned: 'deferred' } as const

/** Returns the work that somebody left for others (handoffs), which has no successors and no documents. */
export const handedOver = (handoffs: readonly DataOf<typeof Handoff>[], urlOf: (slug: string) => string) =>
  handoffs.map(handoff => ({
    kingdom_id: `handoff:${handoff.slug}`,
    mission_title: handoff.title,
    mission_status: statusOfHandoff[handoff.status],
    mission_summary: handoff.what_i_would_do_next,
    priority: 'medium' as const,
    since: handoff.session_ended_at,
    succeeds: [],
    succeeded_by: [],
    audit_command: null,
    is_sister_paired: false,
    produces_connection_doc: false,
    connection_doc_citations: [],
    graph_node: null,
    recorded_in: 'handoffs' as const,
    url: urlOf(handoff.slug)
  }))
