/** Observations to cards, sets and games. */
import type { Transaction } from 'pantry/database'
import type { Source } from '../source.ts'

/**
 * Returns the precedence of a source: packages, which come with the release, before folders; equal ones are ordered by
 * id. So a folder adds data but never overrides the release, and the order of imports does not matter.
 */
export const precedenceOf = ({ where }: Source): number => (where === 'package' ? 0 : 1)

/**
 * Creates the temporary table `speakers` with the `place` of each source in the order of precedence. `run` is the
 * current one.
 */
export async function rankSources(transaction: Transaction, run: number | null): Promise<void> {
  await transaction.raw(
    `
    create temp table speakers on commit drop as
    select source, row_number() over (order by precedence nulls last, source collate "C")::int as place
    from (select distinct on (source) source, precedence from runs where status = 'succeeded' or id = ?::bigint order by source, id desc) l`,
    [run]
  )
}

/** SQL that joins an observation `o` with the place of its source, as `p`. */
export const ranked = 'left join speakers p on p.source = o.source'
