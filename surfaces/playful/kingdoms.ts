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
export const Gap = Type.Object({
  id: Text,
  name: Text,
  primitive: Text,
  status: Type.Enum(['named', 'wired', 'partial', 'closed', 'closed-published']),
  domain: Text,
  named_at: Text
})
export const Handoff = Type.Object({
  slug: Text,
  title: Text,
  what_i_would_do_next: Text,
  status: Type.Enum(['open', 'resolved', 'abandoned']),
  session_ended_at: Text
})
export const Change = Type.Object({
  id: Text,
  summary: Text,
  detail: Text,
  date: Text,
  impact: Type.Enum(['breaking', 'additive', 'doctrinal', 'documentation'])
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

const statusOfGap = {
  named: 'queued',
  wired: 'deferred',
  partial: 'in-progress',
  closed: 'done',
  'closed-published': 'done'
} as const
const statusOfHandoff = { open: 'queued', resolved: 'done', abandoned: 'deferred' } as const
const priorityOfChange = { breaking: 'high', additive: 'medium', doctrinal: 'low', documentation: 'low' } as const

/** Work items of other corpora have no successors and no documents. */
const alone = {
  succeeds: [],
  succeeded_by: [],
  audit_command: null,
  is_sister_paired: false,
  produces_connection_doc: false,
  connection_doc_citations: [],
  graph_node: null
}

type Ledgers = Readonly<{
  gaps: readonly DataOf<typeof Gap>[]
  handoffs: readonly DataOf<typeof Handoff>[]
  changes: readonly DataOf<typeof Change>[]
}>
type UrlOf = Readonly<Record<'gap' | 'handoff' | 'change', (key: string) => string>>

/** Returns gaps, handoffs and changes as work items; those of changes have the status `done`. */
export const workOf = ({ gaps, handoffs, changes }: Ledgers, urlOf: UrlOf) => [
  ...gaps.map(gap => ({
    kingdom_id: `gap:${gap.id}`,
    mission_title: gap.name,
    mission_status: statusOfGap[gap.status],
    mission_summary: gap.primitive,
    priority: gap.domain === 'license' ? ('high' as const) : ('medium' as const),
    since: gap.named_at,
    ...alone,
    recorded_in: 'gaps' as const,
    url: urlOf.gap(gap.id)
  })),
  ...handoffs.map(handoff => ({
    kingdom_id: `handoff:${handoff.slug}`,
    mission_title: handoff.title,
    mission_status: statusOfHandoff[handoff.status],
    mission_summary: handoff.what_i_would_do_next,
    priority: 'medium' as const,
    since: handoff.session_ended_at,
    ...alone,
    recorded_in: 'handoffs' as const,
    url: urlOf.handoff(handoff.slug)
  })),
  ...changes.map(change => ({
    kingdom_id: `change:${change.id}`,
    mission_title: change.summary,
    mission_status: 'done' as const,
    mission_summary: change.detail,
    priority: priorityOfChange[change.impact],
    since: change.date,
    ...alone,
    recorded_in: 'changelog' as const,
    url: urlOf.change(change.id)
  }))
]
