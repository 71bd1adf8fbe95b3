import type { Transaction } from 'pantry/database'
import type { Source } from '../source.ts'

/**
 * Who speaks first of a card: sources that come with the release, as packages, before those of a folder; within each by
 * id, in byte order. So a folder fills gaps and changes nothing that the release says, and who was imported first
 * decides nothing.
 */
export const precedenceOf = ({ where }: Source): number => (where === 'package' ? 0 : 1)

/** Leaves the temporary table `speakers`: the `place` of each source in that order. `run` is the one under way. */
export async function rankSources(transaction: Transaction, run: number | null): Promise<void> {
  await transaction.raw(
    `
    create temp table speakers on commit drop as
    select source, row_number() over (order by precedence nulls last, source collate "C")::int as place
    from (select distinct on (source) source, precedence from runs where status = 'succeeded' or id = ?::bigint order by source, id desc) l`,
    [run]
  )
}

/** Joins an observation `o` with its place, as `p`. */
export const ranked = 'left join speakers p on p.source = o.source'
