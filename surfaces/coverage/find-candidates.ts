import type { PathTo } from 'pantry/data'
import type { Game, GameDirectory } from '../cards/games.ts'
import type { CatalogueCache } from '../cards/kept.ts'
import { hoursSince } from '../common/calendar.ts'
import type { Source } from '../import/source.ts'
import { asWhole, latestOf, newest, tally, type Tally } from './archive.ts'
import { candidateKinds, candidatesInOrder, type CoverageFinding } from './candidate.ts'
import type { CoverageFindings, CoverageStore } from './coverage-store.ts'
import { placesToLook, questionsOf } from './questions.ts'

type BoardServices = Readonly<{
  coverage: CoverageStore
  sources: ReadonlyMap<string, Source>
  games: Pick<GameDirectory, 'all'>
  kept: CatalogueCache
}>
type BoardFilter = Readonly<{ game: string | null; kind: string | null; now: Date; pathTo: PathTo }>

/**
 * Returns the candidates in the order of the board, how many there are of each kind, whatever `kind` is, and the
 * sources that were read for them; cached for one minute.
 */
export const boardOf = async (
  { coverage, sources, games, kept }: BoardServices,
  { game, kind, now, pathTo }: BoardFilter
) =>
  await kept.ofMinute(`hunt ${game ?? ''} ${kind ?? ''}`, now, async minute => {
    const findings = await coverage.findings(game)
    const all = collectFindings({ findings, sources, games: games.all, game, now: minute, pathTo })
    return {
      byKind: Object.fromEntries(candidateKinds.map(name => [name, all.filter(found => found.kind === name).length])),
      candidates: candidatesInOrder(kind === null ? all : all.filter(found => found.kind === kind), sources),
      sources: [...latestOf(findings.snapshots).keys()].sort(),
      asOf: newest(findings.snapshots)
    }
  })

type FindingsInput = Readonly<{
  findings: CoverageFindings
  sources: ReadonlyMap<string, Source>
  games: readonly Game[]
  game: string | null
  now: Date
  pathTo: PathTo
}>

type UnnamedFinding = Omit<CoverageFinding, 'look'>

/** Returns the findings of all rules, in no particular order. */
function collectFindings(input: FindingsInput): CoverageFinding[] {
  const { findings, sources, games, game, now, pathTo } = input
  const { missing, partial, unseen, disagreements, unresolved } = findings
  const named = { sources, games }
  const questions = questionsOf(named)
  /** Games whose numbers run through all of their sets, so that a set may skip any. */
  const countedAsOne = new Set(games.filter(({ numbers }) => numbers === 'game').map(({ token }) => token))
  const latest = latestOf(findings.snapshots)
  const finishedAt = (source: string): string | null => latest.get(source)?.finished_at ?? null
  const pairs = tally(findings, asWhole, (token, { source }) => pairKey(source, token))
  const newestOf = (token: string): string | null =>
    [...pairs.values()]
      .filter(pair => pair.games.has(token))
      .flatMap(pair => [...pair.sources].map(finishedAt))
      .sort()
      .at(-1) ?? null
  const found = pairFindings(input, pairs, finishedAt)
  for (const set of missing) {
    const { game: token, set_code, source, declared_total: total } = set
    found.push({
      kind: 'missing_set_observations',
      rule: 'declared_set_absent_from_observation_archive',
      target: { game_code: token, source_id: source, set_code },
      metrics: { catalog_cards: 0, observed_numbers: 0, ...(total === null ? {} : { declared_cards: total }) },
      question: questions.missing(set),
      size: 0,
      observedAt: finishedAt(source),
      isObserved: pairs.has(pairKey(source, token))
    })
  }
  for (const set of partial) {
    const { game: token, set_code, cards, numbers, declared_total: total, highest, unseen: between } = set
    // If a set skips more than half as many numbers as were seen, as a set of reprints does, its gaps mean nothing,
    // unless the declared total is at least its highest number.
    const hasGaps =
      between > 0 && !countedAsOne.has(token) && (2 * between <= numbers || (highest ?? 0) <= (total ?? -1))
    if (!hasGaps && (total === null || total <= numbers)) continue
    found.push({
      kind: 'partial_set_observations',
      rule: hasGaps ? 'observed_numbers_leave_gaps' : 'declared_total_exceeds_observed_numbers',
      target: { game_code: token, set_code },
      metrics: {
        catalog_cards: cards,
        observed_numbers: numbers,
        ...(hasGaps ? { unseen_numbers: between } : {}),
        ...(total === null ? {} : { declared_cards: total })
      },
      question: hasGaps ? questions.gaps(set) : questions.total(set),
      size: hasGaps ? between : (total ?? 0) - numbers,
      observedAt: newestOf(token),
      isObserved: true
    })
  }
  for (const set of unseen) {
    const { game: token, set_code, cards, source: id, until } = set
    const source = sources.get(id)
    const last = findings.snapshots.findLast(snapshot => snapshot.source === id && snapshot.first < until)
    if (source === undefined || last === undefined) continue
    const age = ageOf(source, last.day, now)
    if (!isStale(age)) continue
    found.push({
      kind: 'stale_set_observations',
      rule: 'observed_set_absent_from_latest_snapshot',
      target: { game_code: token, source_id: id, set_code },
      metrics: { catalog_cards: cards, ...age },
      question: questions.unseen(set),
      size: cards,
      observedAt: last.finished_at,
      isObserved: true
    })
  }
  for (const disagreement of disagreements) {
    const { game: token, field, cards, sku } = disagreement
    found.push({
      kind: 'declared_observed_disagreement',
      rule: 'observing_sources_state_different_values',
      target: { game_code: token, field, sku },
      metrics: { observed_cards: cards },
      question: questions.disagreement(disagreement),
      size: cards,
      observedAt: newestOf(token),
      isObserved: true
    })
  }
  for (const left of unresolved) {
    const { source: id, rows, sku } = left
    const declared = sources.get(id)?.games ?? []
    const only = declared.length === 1 ? declared[0] : undefined
    if (game !== null && only !== game) continue
    found.push({
      kind: 'unassigned_observations',
      rule: 'unassigned_observation_count_positive',
      target: { ...(only === undefined ? {} : { game_code: only }), source_id: id, ...(sku === null ? {} : { sku }) },
      metrics: { unassigned_observations: rows },
      question: questions.unassigned(left),
      size: rows,
      observedAt: finishedAt(id),
      isObserved: true
    })
  }
  return found.map(finding => ({
    ...finding,
    look: placesToLook(named, finding.target, finding.kind !== 'missing_set_observations', pathTo)
  }))
}

/** Returns for how many hours observations of the source count as fresh, to one decimal. */
export const budgetHours = (source: Source): number => Math.round(source.freshness_budget_seconds / 360) / 10
type AgeMetrics = ReturnType<typeof ageOf>
const ageOf = (source: Source, day: string, now: Date) => ({
  freshest_age_hours: hoursSince(day, now),
  freshness_budget_hours: budgetHours(source)
})
const isStale = (age: AgeMetrics): boolean => age.freshest_age_hours > age.freshness_budget_hours
const pairKey = (source: string, game: string): string => `${source} ${game}`

/**
 * Compares what each source showed of each game with what the source declares, whether it is open, and how old it may
 * be.
 */
function pairFindings(
  { findings, sources, games, game, now }: FindingsInput,
  pairs: ReadonlyMap<string, Tally>,
  finishedAt: (source: string) => string | null
): UnnamedFinding[] {
  const questions = questionsOf({ sources, games })
  const found: UnnamedFinding[] = []
  const imported = latestOf(findings.snapshots)
  for (const source of sources.values()) {
    // A folder that was never imported is no finding. A source that is a package, or was imported, should have cards.
    if (source.access !== 'wired' || (source.where !== 'package' && !imported.has(source.id))) continue
    for (const token of source.games) {
      if ((game ?? token) !== token || pairs.has(pairKey(source.id, token))) continue
      found.push({
        kind: 'declared_observed_disagreement',
        rule: 'declared_pair_absent_from_observation_archive',
        target: { game_code: token, source_id: source.id },
        metrics: { observed_cards: 0 },
        question: questions.absent(token, source.id),
        size: 0,
        observedAt: null,
        isObserved: false
      })
    }
  }
  for (const { sources: ids, games: tokens, cards, last } of pairs.values()) {
    const [[id = ''], [token = '']] = [[...ids], [...tokens]]
    const source = sources.get(id)
    const add = (finding: Pick<UnnamedFinding, 'kind' | 'rule' | 'question'>, age?: AgeMetrics): void => {
      found.push({
        ...finding,
        metrics: { observed_cards: cards, ...age },
        target: { game_code: token, source_id: id },
        observedAt: finishedAt(id),
        isObserved: true,
        size: cards
      })
    }
    if (source?.games.includes(token) !== true)
      add({
        kind: 'declared_observed_disagreement',
        rule: 'observed_pair_absent_from_registry_declaration',
        question: questions.undeclared(token, id, cards)
      })
    if (source === undefined) continue
    if (source.access !== 'wired')
      add({
        kind: 'declared_observed_disagreement',
        rule: 'observed_pair_conflicts_with_current_source_gate',
        question: questions.gate(token, id, cards)
      })
    const age = ageOf(source, last, now)
    if (isStale(age))
      add(
        {
          kind: 'stale_set_observations',
          rule: 'observed_pair_exceeds_declared_freshness_budget',
          question: questions.stale(token, id)
        },
        age
      )
  }
  return found
}
