import type { CardPool } from './card-pool.ts'

const day = (time: string | null): string | null => time?.slice(0, 10) ?? null

/**
 * Returns the period that the data covers: from the first dated release (or the first import, if no source dates a set)
 * to the last import.
 */
export function windowOf({
  first_release: first,
  latest_set: latest,
  first_import: begun,
  as_of: asOf,
  sets,
  boosters,
  blocks
}: CardPool) {
  return {
    from: first ?? day(begun),
    to: day(asOf),
    basis:
      first === null
        ? 'From the first import to the last: no imported source dates the sets of this game. Which sets and blocks the cards are of says how far they reach.'
        : 'From the first release of a set that a source dates to the last import.',
    imported_at: asOf,
    first_release: first,
    last_release: latest?.released_on ?? null,
    dated_sets: sets.dated,
    undated_sets: sets.undated,
    numbered_boosters: boosters,
    blocks
  }
}
