import { Type, Count, defineDerived, nullable, reply, Text } from 'pantry/handler'
import {
  Change,
  Concept,
  countByStatus,
  Gap,
  Handoff,
  kingdomsOf,
  priorities,
  statuses,
  workOf
} from '../../playful/kingdoms.ts'

const Counts = Type.Record(Text, Count)

/**
 * Returns the ledger of finished, current and open work. Needs code because it joins four corpora, and a manifest can
 * only show one.
 */
export default defineDerived({
  corpora: { concepts: Concept, changelog: Change, gaps: Gap, handoffs: Handoff },
  reply: Type.Object({
    '@kind': Type.Literal('kingdoms-collection'),
    total: Count,
    by_status: Type.Object(Object.fromEntries(statuses.map(status => [status, Count]))),
    kingdoms: Type.Array(
      Type.Object({
        kingdom_id: Text,
        mission_title: Text,
        mission_status: Type.Enum(statuses),
        mission_summary: Text,
        priority: Type.Enum(priorities),
        since: Type.String({ format: 'date' }),
        succeeds: Type.Array(Text, { description: 'Work that it builds on.' }),
        succeeded_by: Type.Array(Text, { description: 'Work that builds on it.' }),
        audit_command: nullable(Text, 'Command that checks the result; null before there is one.'),
        is_sister_paired: Type.Boolean(),
        produces_connection_doc: Type.Boolean(),
        connection_doc_citations: Type.Array(Text, { description: 'Documents that came of it.' }),
        graph_node: nullable(Text, 'Only of work that the concepts declare.'),
        recorded_in: Type.Enum(['concepts', 'gaps', 'handoffs', 'changelog']),
        url: Text
      })
    ),
    around_it: Type.Object(
      { changelog_entries: Count, gaps_by_status: Counts, handoffs_by_status: Counts },
      {
        description: 'What the other ledgers say: changes made, lacks that are known, work that was left for somebody.'
      }
    ),
    related: Type.Object({ kind_definition: Text, changelog: Text, gaps: Text, handoffs: Text, contributors: Text })
  }),
  derive({ corpora, pathTo }) {
    const rows = [
      ...kingdomsOf(corpora.concepts.entries, pathTo('graph')),
      ...workOf(
        { gaps: corpora.gaps.entries, handoffs: corpora.handoffs.entries, changes: corpora.changelog.entries },
        {
          gap: id => pathTo('hospitality/gap', { id }),
          handoff: slug => pathTo('hospitality/handoff', { slug }),
          change: id => pathTo('changelog-entry', { id })
        }
      )
    ]
    return reply({
      '@kind': 'kingdoms-collection',
      total: rows.length,
      by_status: Object.fromEntries(
        statuses.map(status => [status, rows.filter(row => row.mission_status === status).length])
      ),
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
