import type { PathTo } from 'pantry/data'
import { hoursSince } from '../calendar.ts'
import type { Source } from '../import/source.ts'
import type { Game } from '../search/game-directory.ts'
import { asWhole, tally } from './archive.ts'
import type { CoverageFinding } from './candidate.ts'
import type { CoverageFindings } from './coverage-store.ts'
import { budgetHours, pairFindings, pairKey } from './find-pairs.ts'
import { placesToLook, questions } from './questions.ts'
import { latestOf } from './unassigned.ts'

export type Hunted = Readonly<{
  findings: CoverageFindings
  sources: ReadonlyMap<string, Source>
  games: readonly Game[]
  game: string | null
  now: Date
  pathTo: PathTo
}>

/** A finding without the places where an answer can be found. */
export type UnnamedFinding = Omit<CoverageFinding, 'look'>

/** Returns all findings, of all five kinds, in no particular order. */
export function findCandidates(hunted: Hunted): CoverageFinding[] {
  const { findings, sources, games, game, now, pathTo } = hunted
  const { missing, partial, unseen, disagreements, unresolved } = findings
  const named = { sources, games }
  /** Games in which missing numbers mean nothing, because numbers run through the whole game, so a set may skip any. */
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
  const found: UnnamedFinding[] = [
    ...pairFindings(hunted, pairs, finishedAt),
    ...missing.map((set): UnnamedFinding => {
      const { game: token, set_code, source, declared_total } = set
      return {
        kind: 'missing_set_observations',
        rule: 'declared_set_absent_from_observation_archive',
        target: { game_code: token, source_id: source, set_code },
        metrics: {
          catalog_cards: 0,
          observed_numbers: 0,
          ...(declared_total === null ? {} : { declared_cards: declared_total })
        },
        question: questions.missing(named, set),
        size: 0,
        observedAt: finishedAt(source),
        isObserved: pairs.has(pairKey(source, token))
      }
    }),
    ...partial.flatMap((set): UnnamedFinding[] => {
      const { game: token, set_code, cards, numbers, declared_total: total, highest, unseen: between } = set
      // If a set skips most numbers, as a set of reprints does, its gaps mean nothing.
      const hasGaps =
        between > 0 && !countedAsOne.has(token) && (2 * between <= numbers || (highest ?? 0) <= (total ?? -1))
      if (!hasGaps && (total === null || total <= numbers)) return []
      const size = hasGaps ? between : (total ?? 0) - numbers
      return [
        {
          kind: 'partial_set_observations',
          rule: hasGaps ? 'observed_numbers_leave_gaps' : 'declared_total_exceeds_observed_numbers',
          target: { game_code: token, set_code },
          metrics: {
            catalog_cards: cards,
            observed_numbers: numbers,
            ...(hasGaps ? { unseen_numbers: between } : {}),
            ...(total === null ? {} : { declared_cards: total })
          },
          question: hasGaps ? questions.gaps(named, set) : questions.total(named, set),
          size,
          observedAt: newestOf(token),
          isObserved: true
        }
      ]
    }),
    ...unseen.flatMap((set): UnnamedFinding[] => {
      const { game: token, set_code, cards, source: id, until } = set
      const source = sources.get(id)
      const last = findings.snapshots.findLast(snapshot => snapshot.source === id && snapshot.first < until)
      if (source === undefined || last === undefined) return []
      const age = { freshest_age_hours: hoursSince(last.day, now), freshness_budget_hours: budgetHours(source) }
      return age.freshest_age_hours <= age.freshness_budget_hours
        ? []
        : [
            {
              kind: 'stale_set_observations',
              rule: 'observed_set_absent_from_latest_snapshot',
              target: { game_code: token, source_id: id, set_code },
              metrics: { catalog_cards: cards, ...age },
              question: questions.unseen(named, set),
              size: cards,
              observedAt: last.finished_at,
              isObserved: true
            }
          ]
    }),
    ...disagreements.map(({ game: token, field, cards, sku }): UnnamedFinding => ({
      kind: 'declared_observed_disagreement',
      rule: 'observing_sources_state_different_values',
      target: { game_code: token, field, sku },
      metrics: { observed_cards: cards },
      question: questions.disagreement(named, { game: token, field, cards, sku }),
      size: cards,
      observedAt: newestOf(token),
      isObserved: true
    })),
    ...unresolved.flatMap((left): UnnamedFinding[] => {
      const { source: id, rows, sku } = left
      const of = sources.get(id)?.games ?? []
      const only = of.length === 1 ? of[0] : undefined
      return game !== null && only !== game
        ? []
        : [
            {
              kind: 'unassigned_observations',
              rule: 'unassigned_observation_count_positive',
              target: {
                ...(only === undefined ? {} : { game_code: only }),
                source_id: id,
                ...(sku === null ? {} : { sku })
              },
              metrics: { unassigned_observations: rows },
              question: questions.unassigned(named, left),
              size: rows,
              observedAt: finishedAt(id),
              isObserved: true
            }
          ]
    })
  ]
  return found.map(one => ({
    ...one,
    look: placesToLook(named, one.target, one.kind !== 'missing_set_observations', pathTo)
  }))
}
