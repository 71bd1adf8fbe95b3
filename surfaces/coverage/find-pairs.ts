import { hoursSince } from '../calendar.ts'
import type { Source } from '../import/source.ts'
import type { Tally } from './archive.ts'
import type { UnnamedFinding, Hunted } from './find-candidates.ts'
import { questions } from './questions.ts'
import { latestOf } from './unassigned.ts'

/** Returns for how many hours the observations of a source count as fresh, to one decimal. */
export const budgetHours = (source: Source): number => Math.round(source.freshness_budget_seconds / 360) / 10
export const pairKey = (source: string, game: string): string => `${source} ${game}`

/** Compares what each source showed of each game with what is declared of both, and returns the differences. */
export function pairFindings(
  { findings, sources, games, game, now }: Hunted,
  pairs: ReadonlyMap<string, Tally>,
  finishedAt: (source: string) => string | null
): UnnamedFinding[] {
  const named = { sources, games }
  const found: UnnamedFinding[] = []
  const imported = latestOf(findings.snapshots)
  for (const source of sources.values()) {
    // A folder that was never imported is no finding. A source that is a package, or was imported, should have cards.
    if (source.access !== 'wired' || (source.where !== 'package' && !imported.has(source.id))) continue
    for (const declared of source.games.filter(
      token => (game ?? token) === token && !pairs.has(pairKey(source.id, token))
    )) {
      found.push({
        kind: 'declared_observed_disagreement',
        rule: 'declared_pair_absent_from_observation_archive',
        target: { game_code: declared, source_id: source.id },
        metrics: { observed_cards: 0 },
        question: questions.absent(named, declared, source.id),
        size: 0,
        observedAt: null,
        isObserved: false
      })
    }
  }
  for (const {
    sources: [id = ''],
    games: [token = ''],
    cards,
    last
  } of [...pairs.values()].map(pair => ({ ...pair, sources: [...pair.sources], games: [...pair.games] }))) {
    const source = sources.get(id)
    const about = {
      target: { game_code: token, source_id: id },
      observedAt: finishedAt(id),
      isObserved: true,
      size: cards
    }
    if (source?.games.includes(token) !== true) {
      found.push({
        kind: 'declared_observed_disagreement',
        rule: 'observed_pair_absent_from_registry_declaration',
        metrics: { observed_cards: cards },
        question: questions.undeclared(named, token, id, cards),
        ...about
      })
    }
    if (source === undefined) continue
    if (source.access !== 'wired') {
      found.push({
        kind: 'declared_observed_disagreement',
        rule: 'observed_pair_conflicts_with_current_source_gate',
        metrics: { observed_cards: cards },
        question: questions.gate(named, token, id, cards),
        ...about
      })
    }
    const age = { freshest_age_hours: hoursSince(last, now), freshness_budget_hours: budgetHours(source) }
    if (age.freshest_age_hours > age.freshness_budget_hours) {
      found.push({
        kind: 'stale_set_observations',
        rule: 'observed_pair_exceeds_declared_freshness_budget',
        metrics: { observed_cards: cards, ...age },
        question: questions.stale(named, token, id),
        ...about
      })
    }
  }
  return found
}
