import Type from 'typebox'
import { defineDerived, reply, type DataOf } from 'pantry/handler'

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const Counts = Type.Record(Text, Count)
const statuses = ['queued', 'claimed', 'in-progress', 'done', 'deferred'] as const
const priorities = ['critical', 'high', 'medium', 'low'] as const

/** What is read of the four ledgers. */
const Concept = Type.Object({
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
const Change = Type.Object({})
const InState = Type.Object({ status: Text })

const countByStatus = (entries: readonly DataOf<typeof InState>[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Ids that the relations of a concept name, of one kind. */
const relatedBy = ({ relations = [] }: Concept, kind: string): readonly string[] => relations.filter(relation => relation.kind === kind).map(({ to }) => to)

/** The ledger of work: what is done, under way and open. It joins four corpora, and a declaration reads one. */
export default defineDerived({
  corpora: { concepts: Concept, changelog: Change, gaps: InState, handoffs: InState },
  reply: Type.Object({
    '@kind': Type.Literal('kingdoms-collection'),
    total: Count,
    by_status: Type.Object(Object.fromEntries(statuses.map(status => [status, Count]))),
    kingdoms: Type.Array(Type.Object({
      kingdom_id: Text,
      mission_title: Text,
      mission_status: Type.Enum(statuses),
      mission_summary: Text,
      priority: Type.Enum(priorities),
      since: Type.String({ format: 'date' }),
      succeeds: Type.Array(Text, { description: 'Work that it builds on.' }),
      succeeded_by: Type.Array(Text, { description: 'Work that builds on it.' }),
      audit_command: Type.Union([Text, Type.Null()], { description: 'Command that checks the result; null before there is one.' }),
      is_sister_paired: Type.Boolean(),
      produces_connection_doc: Type.Boolean(),
      connection_doc_citations: Type.Array(Text, { description: 'Documents that came of it.' }),
      graph_node: Text
    })),
    around_it: Type.Object({
      changelog_entries: Count,
      gaps_by_status: Counts,
      handoffs_by_status: Counts
    }, { description: 'What the other ledgers say: changes made, lacks that are known, work that was left for somebody.' }),
    related: Type.Object({ kind_definition: Text, changelog: Text, gaps: Text, handoffs: Text, contributors: Text })
  }),
  derive ({ corpora, pathTo }) {
    const concepts = corpora.concepts.entries
    const kingdoms = concepts.filter(({ kind }) => kind === 'kingdom')
    const documents = concepts.filter(({ kind }) => kind === 'connection_doc')
    const idsOf = (entries: readonly Concept[], from: string, kind: string): string[] => entries.filter(entry => relatedBy(entry, kind).includes(from)).map(({ id }) => id)
    const rows = kingdoms.map(kingdom => {
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
    return reply({
      '@kind': 'kingdoms-collection',
      total: rows.length,
      by_status: Object.fromEntries(statuses.map(status => [status, rows.filter(row => row.mission_status === status).length])),
      kingdoms: rows,
      around_it: {
        changelog_entries: corpora.changelog.entries.length,
        gaps_by_status: countByStatus(corpora.gaps.entries),
        handoffs_by_status: countByStatus(corpora.handoffs.entries)
      },
      related: {
        kind_definition: pathTo('kind', { kind: 'kingdom' }),
        changelog: pathTo('changelog'),
        gaps: pathTo('hospitality/gaps'),
        handoffs: pathTo('hospitality/handoffs'),
        contributors: pathTo('hospitality/contributors')
      }
    })
  }
})
