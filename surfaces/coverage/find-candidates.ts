import type { Source } from '../import/source.ts'
import { asWhole, tally, type Tally } from './archive.ts'
import type { Finding } from './candidate.ts'
import type { Findings } from './coverage-store.ts'
import { hoursSince } from '../calendar.ts'
import { latestOf } from './unassigned.ts'

type Hunted = Readonly<{ findings: Findings, sources: ReadonlyMap<string, Source>, game: string | null, now: Date }>

/** How long the observations of a source are fresh, in hours to one decimal. */
export const budgetHours = (source: Source): number => Math.round(source.freshness_budget_seconds / 360) / 10
const pairKey = (source: string, game: string): string => `${source} ${game}`

/** What one source observed of one game, against what the registry declares of both. */
function pairFindings ({ findings, sources, game, now }: Hunted, pairs: ReadonlyMap<string, Tally>, finishedAt: (source: string) => string | null): Finding[] {
  const found: Finding[] = []
  const imported = latestOf(findings.snapshots)
  for (const source of sources.values()) {
    // That nobody imported the files of a folder is no finding; a source that comes with the service, or was imported, owes its cards.
    if (source.access !== 'wired' || (source.where !== 'package' && !imported.has(source.id))) continue
    for (const declared of source.games.filter(token => (game ?? token) === token && !pairs.has(pairKey(source.id, token)))) {
      found.push({
        kind: 'declared_observed_disagreement', rule: 'declared_pair_absent_from_observation_archive', target: { game_code: declared, source_id: source.id },
        metrics: { observed_cards: 0 }, observedAt: null, isObserved: false
      })
    }
  }
  for (const { sources: [id = ''], games: [token = ''], cards, last } of [...pairs.values()].map(pair => ({ ...pair, sources: [...pair.sources], games: [...pair.games] }))) {
    const source = sources.get(id)
    const about = { target: { game_code: token, source_id: id }, observedAt: finishedAt(id), isObserved: true }
    if (source?.games.includes(token) !== true) {
      found.push({ kind: 'declared_observed_disagreement', rule: 'observed_pair_absent_from_registry_declaration', metrics: { observed_cards: cards }, ...about })
    }
    if (source === undefined) continue
    if (source.access !== 'wired') {
      found.push({ kind: 'declared_observed_disagreement', rule: 'observed_pair_conflicts_with_current_source_gate', metrics: { observed_cards: cards }, ...about })
    }
    const age = { freshest_age_hours: hoursSince(last, now), freshness_budget_hours: budgetHours(source) }
    if (age.freshest_age_hours > age.freshness_budget_hours) {
      found.push({ kind: 'stale_set_observations', rule: 'observed_pair_exceeds_declared_freshness_budget', metrics: { observed_cards: cards, ...age }, ...about })
    }
  }
  return found
}

/** Everything that counting alone shows to be amiss, of all five kinds, in no particular order. */
export function findCandidates (hunted: Hunted): Finding[] {
  const { findings, sources, game, now } = hunted
  const { missing, partial, unseen, disagreements } = findings
  const latest = latestOf(findings.snapshots)
  const finishedAt = (source: string): string | null => latest.get(source)?.finished_at ?? null
  const pairs = tally(findings, asWhole, (token, { source }) => pairKey(source, token))
  const newestOf = (token: string): string | null =>
    [...pairs.values()].filter(pair => pair.games.has(token)).flatMap(pair => [...pair.sources].map(finishedAt)).sort().at(-1) ?? null
  return [
    ...pairFindings(hunted, pairs, finishedAt),
    ...missing.map(({ game: token, set_code, source, declared_total }): Finding => ({
      kind: 'missing_set_observations', rule: 'declared_set_absent_from_observation_archive', target: { game_code: token, source_id: source, set_code },
      metrics: { catalog_cards: 0, observed_numbers: 0, ...(declared_total === null ? {} : { declared_cards: declared_total }) },
      observedAt: finishedAt(source), isObserved: pairs.has(pairKey(source, token))
    })),
    ...partial.map(({ game: token, set_code, cards, numbers, declared_total }): Finding => ({
      kind: 'partial_set_observations', rule: 'declared_total_exceeds_observed_numbers', target: { game_code: token, set_code },
      metrics: { catalog_cards: cards, observed_numbers: numbers, declared_cards: declared_total }, observedAt: newestOf(token), isObserved: true
    })),
    ...unseen.flatMap(({ game: token, set_code, cards, source: id, until }): Finding[] => {
      const source = sources.get(id)
      const last = findings.snapshots.findLast(snapshot => snapshot.source === id && snapshot.first < until)
      if (source === undefined || last === undefined) return []
      const age = { freshest_age_hours: hoursSince(last.day, now), freshness_budget_hours: budgetHours(source) }
      return age.freshest_age_hours <= age.freshness_budget_hours
        ? []
        : [{
            kind: 'stale_set_observations', rule: 'observed_set_absent_from_latest_snapshot', target: { game_code: token, source_id: id, set_code },
            metrics: { catalog_cards: cards, ...age }, observedAt: last.finished_at, isObserved: true
          }]
    }),
    ...disagreements.map(({ game: token, field, cards, sku }): Finding => ({
      kind: 'declared_observed_disagreement', rule: 'observing_sources_state_different_values', target: { game_code: token, field, sku },
      metrics: { observed_cards: cards }, observedAt: newestOf(token), isObserved: true
    })),
    ...[...latest.values()].flatMap(({ source: id, unassigned, finished_at: observedAt }): Finding[] => {
      const games = sources.get(id)?.games ?? []
      const only = games.length === 1 ? games[0] : undefined
      return unassigned === 0 || (game !== null && only !== game)
        ? []
        : [{
            kind: 'unassigned_observations', rule: 'unassigned_observation_count_positive',
            target: { ...(only === undefined ? {} : { game_code: only }), source_id: id }, metrics: { unassigned_observations: unassigned }, observedAt, isObserved: true
          }]
    })
  ]
}
