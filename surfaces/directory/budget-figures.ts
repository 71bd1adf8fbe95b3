import type { Service } from 'pantry/data'
import type { Holdings } from '../catalogue/holdings.ts'

/** Converts bytes to kilobytes (KiB) with one decimal. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 102.4) / 10

/** Returns the size of the catalogue as the crawl budget shows it. */
export function catalogSize(held: Holdings) {
  return {
    cards_estimated: held.cards,
    games_active: held.games,
    sets_per_game_avg: held.games === 0 ? 0 : Math.round(held.sets / held.games),
    sets_total: held.sets,
    sources_active: held.sources,
    oracle_groups_estimated: held.numbers,
    as_of: held.as_of,
    precision: 'Counted, not estimated. An oracle group is a set and a number: its languages and variants count once.',
    freshness_note: 'The counts are those of the last import that succeeded, at `as_of`.'
  }
}

/** Returns the request rate of each class of callers; some rates are enforced, others advisory. */
export function pace({ rate_policy: policy }: Service) {
  return Object.fromEntries(
    policy.classes.map(({ caller, requests_per_minute: requests, counted_by: per, enforced, note }) => [
      caller === 'public' ? 'unauth' : caller,
      {
        requests_per_minute: requests ?? ('tier-dependent' as const),
        per,
        enforcement: enforced ? ('enforced' as const) : ('advisory' as const),
        note
      }
    ])
  )
}
