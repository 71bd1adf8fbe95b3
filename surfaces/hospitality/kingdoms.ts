import Type from 'typebox'
import type { DataOf } from 'pantry/data'

const Text = Type.String()
export const statuses = ['queued', 'claimed', 'in-progress', 'done', 'deferred'] as const
export const priorities = ['critical', 'high', 'medium', 'low'] as const

/** What is read of a concept. */
export const Concept = Type.Object({
  id: Text,
  kind: Text,
  label: Text,
  description: Text,
  since: Text,
  // Which properties there are depends on the kind of the concept.
  properties: Type.Optional(Type.Record(Text, Type.Unknown())),
  relations: Type.Optional(Type.Array(Type.Object({ kind: Text, to: Text })))
})
type Concept = DataOf<typeof Concept>
/** What is read of a gap or a handoff. */
export const InState = Type.Object({ status: Text })

export const countByStatus = (entries: readonly DataOf<typeof InState>[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Ids that the relations of a concept name, of one kind. */
const relatedBy = ({ relations = [] }: Concept, kind: string): readonly string[] => relations.filter(relation => relation.kind === kind).map(({ to }) => to)

/** Every piece of work, with what it builds on and what came of it. */
export function kingdomsOf (concepts: readonly Concept[]) {
  const kingdoms = concepts.filter(({ kind }) => kind === 'kingdom')
  const documents = concepts.filter(({ kind }) => kind === 'connection_doc')
  const idsOf = (entries: readonly Concept[], from: string, kind: string): string[] => entries.filter(entry => relatedBy(entry, kind).includes(from)).map(({ id }) => id)
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
      graph_node: `kingdom:${id}`
    }
  })
}
