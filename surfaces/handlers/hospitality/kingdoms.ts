import Type from 'typebox'
import { isObject, reply, type Entry, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const Counts = Type.Record(Text, Count)
const statuses = ['queued', 'claimed', 'in-progress', 'done', 'deferred'] as const
const priorities = ['critical', 'high', 'medium', 'low'] as const

const textOf = (entry: Entry, name: string): string => typeof entry[name] === 'string' ? entry[name] : ''

const countBy = (entries: readonly Entry[], field: string): JsonObject => {
  const counts: Record<string, number> = {}
  for (const entry of entries) counts[textOf(entry, field)] = (counts[textOf(entry, field)] ?? 0) + 1
  return counts
}

/** Ids that the relations of a concept name, of one kind. */
const relatedBy = (concept: Entry, kind: string): readonly string[] =>
  (Array.isArray(concept['relations']) ? concept['relations'] as readonly Entry[] : []).filter(relation => relation['kind'] === kind).map(relation => textOf(relation, 'to'))

/** The ledger of work: what is done, under way and open. It joins four corpora, and a declaration reads one. */
export default defineHandler({
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
  handle (_request, { corpora }) {
    const entriesOf = (name: string): readonly Entry[] => corpora.get(name)?.entries ?? []
    const concepts = entriesOf('concepts')
    const kingdoms = concepts.filter(({ kind }) => kind === 'kingdom')
    const documents = concepts.filter(({ kind }) => kind === 'connection_doc')
    const idsOf = (entries: readonly Entry[], from: string, kind: string): string[] => entries.filter(entry => relatedBy(entry, kind).includes(from)).map(entry => textOf(entry, 'id'))
    const rows = kingdoms.map((kingdom): JsonObject => {
      const id = textOf(kingdom, 'id')
      const properties = isObject(kingdom['properties']) ? kingdom['properties'] : {}
      const citations = idsOf(documents, id, 'ships_in')
      return {
        kingdom_id: id,
        mission_title: textOf(kingdom, 'label'),
        mission_status: properties['status'] ?? 'queued',
        mission_summary: textOf(kingdom, 'description').trim(),
        priority: properties['priority'] ?? 'medium',
        since: textOf(kingdom, 'since'),
        succeeds: relatedBy(kingdom, 'succeeds'),
        succeeded_by: idsOf(kingdoms, id, 'succeeds'),
        audit_command: properties['audit_command'] ?? null,
        is_sister_paired: properties['is_sister_paired'] === true,
        produces_connection_doc: citations.length > 0,
        connection_doc_citations: citations,
        graph_node: `kingdom:${id}`
      }
    })
    return reply({
      '@kind': 'kingdoms-collection',
      total: rows.length,
      by_status: Object.fromEntries(statuses.map(status => [status, rows.filter(row => row['mission_status'] === status).length])),
      kingdoms: rows,
      around_it: {
        changelog_entries: entriesOf('changelog').length,
        gaps_by_status: countBy(entriesOf('gaps'), 'status'),
        handoffs_by_status: countBy(entriesOf('handoffs'), 'status')
      },
      related: { kind_definition: '/api/v1/kinds/kingdom', changelog: '/api/v1/changelog', gaps: '/api/v1/gaps', handoffs: '/api/v1/handoffs', contributors: '/api/v1/contributors.json' }
    })
  }
})
