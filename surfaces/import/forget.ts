import type { Database } from 'pantry/database'
import { cardsLock } from '../catalogue/write-lock.ts'
import { derive, openTouched } from './derive.ts'
import type { Projection } from './projection.ts'
import { recordWithdrawals, type Withdrawals } from './withdraw.ts'

/** Ids of the sources of which anything is held, in byte order. */
export async function heldSources ({ bulk }: Pick<Database, 'bulk'>): Promise<readonly string[]> {
  const { rows } = await bulk.raw<{ rows: { source: string }[] }>('select distinct source from runs order by source')
  return rows.map(({ source }) => source).sort()
}

/** Takes back all that a source said, with its runs, as if it had never been imported, and answers the cards that go with it. `dryRun` does so and rolls it back. */
type ForgetSource = (database: Pick<Database, 'bulk'>, source: string, options?: Readonly<{ dryRun?: boolean }>) => Promise<Withdrawals>

export const sourceForgetter = (projections: readonly Projection[]): ForgetSource => async ({ bulk }, source, { dryRun = false } = {}) => {
  const transaction = await bulk.transaction()
  try {
    await transaction.raw('select pg_advisory_xact_lock(?)', [cardsLock])
    await openTouched(transaction, null)
    await transaction.raw('insert into touched select sku from observations where source = ? union select sku from sightings where source = ?', [source, source])
    for (const table of ['observations', 'sightings', 'declared_sets', 'quarantine', 'card_changes', 'runs']) await transaction.raw('delete from ?? where source = ?', [table, source])
    const withdrawals = await recordWithdrawals(transaction, source, null)
    await derive(transaction, projections, { source, run: null }, () => undefined)
    await (dryRun ? transaction.rollback() : transaction.commit())
    return withdrawals
  } catch (error) {
    await transaction.rollback().catch(() => undefined)
    throw error
  }
}
