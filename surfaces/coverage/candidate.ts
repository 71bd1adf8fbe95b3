import { Type, closed, Count, hashCanonical, Moment, nullable, Text, Texts, type DataOf } from 'pantry/data'
import type { Source } from '../import/source.ts'

export const candidateKinds = [
  'missing_set_observations',
  'partial_set_observations',
  'stale_set_observations',
  'declared_observed_disagreement',
  'unassigned_observations'
] as const

export const rules = {
  declared_set_absent_from_observation_archive: 'A source lists the set, and no card of it was observed.',
  observed_numbers_leave_gaps: 'Numbers of the set were observed on both sides of others that were not.',
  declared_total_exceeds_observed_numbers: 'The set is declared to have more cards than numbers were observed.',
  observed_set_absent_from_latest_snapshot:
    'A source showed cards of the set, shows none any more, and its freshness budget has passed since.',
  observed_pair_exceeds_declared_freshness_budget:
    'The newest observation of the game by the source is older than the freshness budget of the source.',
  declared_pair_absent_from_observation_archive:
    'The source comes with the service or was imported, it declares the game, and no card of it was observed.',
  observed_pair_conflicts_with_current_source_gate: 'Cards were observed through a source that is closed now.',
  observed_pair_absent_from_registry_declaration:
    'Cards of the game were observed through a source that does not declare it.',
  observing_sources_state_different_values: 'Sources that observed the same card state different values of a field.',
  unassigned_observation_count_positive:
    'The last import of the source left rows that could not be assigned to a card, and that no other row says.'
} as const

export const evidenceKinds = ['service-resource', 'publisher-page', 'source-policy', 'other-public'] as const

const OptionalText = Type.Optional(Text)
const OptionalCount = Type.Optional(Count)
const Target = closed({
  game_code: OptionalText,
  source_id: OptionalText,
  set_code: OptionalText,
  sku: OptionalText,
  field: OptionalText
})
export type FindingTarget = DataOf<typeof Target>
const Metrics = closed({
  catalog_cards: OptionalCount,
  observed_cards: OptionalCount,
  observed_numbers: OptionalCount,
  unseen_numbers: OptionalCount,
  declared_cards: OptionalCount,
  unassigned_observations: OptionalCount,
  freshest_age_hours: Type.Optional(Type.Number()),
  freshness_budget_hours: Type.Optional(Type.Number())
})

const Look = closed({ what: Text, url: nullable(Text, 'Null where the service knows no address.') })
export type Look = DataOf<typeof Look>

/**
 * What a rule found. `observedAt`: when the newest import that concerns it finished. `size`: how much there is to look
 * up; of the findings of a rule, smaller ones come first.
 */
export type CoverageFinding = Readonly<{
  kind: (typeof candidateKinds)[number]
  rule: keyof typeof rules
  target: FindingTarget
  metrics: DataOf<typeof Metrics>
  question: string
  look: readonly Look[]
  size: number
  observedAt: string | null
  isObserved: boolean
}>

export const Candidate = closed({
  candidate: closed({
    id: Type.String({ pattern: '^ch_[0-9a-f]{24}$' }),
    fingerprint: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    kind: Type.Enum([...candidateKinds]),
    target: Target,
    metrics: Metrics,
    observed_at: nullable(Moment),
    why_candidate: Text
  }),
  question: Type.String({ description: 'What is to be found out, for a person.' }),
  where_to_look: Type.Array(Look),
  selection_trace: closed({
    rule: Type.Enum(Object.keys(rules)),
    registry_status: nullable(Text),
    registry_access: nullable(Text),
    observed_pair_present: Type.Boolean(),
    acquisition_task: Type.Literal(false)
  }),
  eligible_evidence: Texts,
  boundary: Text
})
export type Candidate = DataOf<typeof Candidate>

/** What the id of a candidate is a hash of. Ages and times are excluded, because they change by themselves. */
export const fingerprintBasis = ['kind', 'target', 'metrics (without freshest_age_hours)', 'why_candidate', 'question']

/**
 * Makes a candidate of a finding. Its id is a hash of the content: it is the same in every response and installation.
 */
function candidateOf(
  { kind, rule, target, metrics, question, look, observedAt, isObserved }: CoverageFinding,
  sources: ReadonlyMap<string, Source>
): Candidate {
  const lasting = Object.fromEntries(Object.entries(metrics).filter(([name]) => name !== 'freshest_age_hours'))
  const why = rules[rule]
  const hash = hashCanonical({ kind, target, metrics: lasting, why_candidate: why, question })
  const source = target.source_id === undefined ? undefined : sources.get(target.source_id)
  return {
    candidate: {
      id: `ch_${hash.slice(0, 24)}`,
      fingerprint: hash,
      kind,
      target,
      metrics,
      observed_at: observedAt,
      why_candidate: why
    },
    question,
    where_to_look: [...look],
    selection_trace: {
      rule,
      registry_status: source?.access ?? null,
      registry_access: source?.where ?? null,
      observed_pair_present: isObserved,
      acquisition_task: false
    },
    eligible_evidence: [...evidenceKinds],
    boundary:
      'A question about what was counted. It asks nobody to gather data, and a closed source stays closed whatever is found.'
  }
}

/** What `candidatesInOrder` implements, for readers. */
export const order =
  'Games take turns in byte order, and so do the kinds of a game, each further game beginning one kind later; within a game and a kind by rule, as the rules are listed, what is soonest looked up first, then by source and id, in byte order. The filters reach what the limit cuts off.'

type SortKey = readonly (number | string)[]

const ruleRank = new Map(Object.keys(rules).map((rule, index) => [rule, index]))
const sortKeyOf = ({ rule, size, target }: CoverageFinding, id: string): SortKey => [
  ruleRank.get(rule) ?? 0,
  size,
  `${target.source_id ?? ''}:${id}`
]

function compareKeys(a: SortKey, b: SortKey): number {
  const at = a.findIndex((part, index) => part !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1
}

/** Groups items by name, in byte order of the names. */
function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** Returns the first item of each list, then the second of each, and so on. */
const interleave = <T>(lists: readonly (readonly T[])[]): T[] =>
  lists
    .flatMap(list => list.map((item, turn) => ({ item, turn })))
    .sort((a, b) => a.turn - b.turn)
    .map(({ item }) => item)

/** Returns candidates in an order that mixes games and kinds and is the same for everybody: `order` describes it. */
export function candidatesInOrder(
  findings: readonly CoverageFinding[],
  sources: ReadonlyMap<string, Source>
): readonly Candidate[] {
  const candidates = findings
    .map(finding => {
      const candidate = candidateOf(finding, sources)
      return { candidate, key: sortKeyOf(finding, candidate.candidate.id) }
    })
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ candidate }) => candidate)
  return interleave(
    groupBy(candidates, ({ candidate }) => candidate.target.game_code ?? '').map((ofGame, index) => {
      const kinds = groupBy(ofGame, ({ candidate }) => candidate.kind)
      const first = index % kinds.length
      return interleave([...kinds.slice(first), ...kinds.slice(0, first)])
    })
  )
}
