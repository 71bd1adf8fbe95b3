import { commit, type Database, type Transaction } from 'pantry/database'
import { bumpCatalogueVersion, lockCardWrites, type Projection } from '../cards/writing.ts'
import { derive, openTouched } from './writing/derive.ts'
import { recordWithdrawals, type Withdrawals } from './writing/withdraw.ts'

/** Returns the ids of the sources that have runs, in byte order. */
export async function heldSources({ bulk }: Pick<Database, 'bulk'>): Promise<readonly string[]> {
  const { rows } = await bulk.raw<{ rows: { source: string }[] }>('select distinct source from runs order by source')
  return rows.map(({ source }) => source).sort()
}

/**
 * The tables from which the rows of a forgotten source are deleted, in this order; tables that projections fill are not
 * among them.
 */
const tables = [
  'source_proofs',
  'observations',
  'sightings',
  'declared_sets',
  'quarantine',
  'withdrawals',
  'card_changes',
  'runs'
]

/**
 * Moves `first_seen_at` of touched cards, and of sets and games, forward to the earliest observation or sighting that
 * is left, and adapts the history of the cards to it.
 */
async function recomputeFirstSeen(transaction: Transaction): Promise<void> {
  await transaction.raw(`
    create temp table begun on commit drop as
    select sku, min(from_run) as run from touched join (select sku, from_run from observations union all select sku, from_run from sightings) s using (sku) group by sku`)
  await transaction.raw(
    'update cards c set first_seen_at = r.started_at from begun b join runs r on r.id = b.run where c.sku = b.sku and c.first_seen_at < r.started_at'
  )
  await transaction.raw(
    'update sets s set first_seen_at = c.at from (select set_id, min(first_seen_at) as at from cards group by set_id) c where c.set_id = s.id and s.first_seen_at < c.at'
  )
  await transaction.raw(
    'update games g set first_seen_at = s.at from (select game, min(first_seen_at) as at from sets group by game) s where s.game = g.token and g.first_seen_at < s.at'
  )
  await transaction.raw('delete from card_changes c using begun b where c.sku = b.sku and c.run <= b.run')
  await transaction.raw(
    "update card_changes c set kind = 'withdrawn', fields = '{}' from begun b join withdrawals w using (sku) join sightings s using (sku) where c.sku = b.sku and c.run = s.until_run"
  )
}

/**
 * Deletes everything that a source contributed, including its runs, as if it had never been imported; returns the cards
 * that this withdraws. With `dryRun` the transaction is rolled back.
 */
type ForgetSource = (
  database: Pick<Database, 'bulk'>,
  source: string,
  options?: Readonly<{ dryRun?: boolean }>
) => Promise<Withdrawals>

export const sourceForgetter =
  (projections: readonly Projection[]): ForgetSource =>
  async ({ bulk }, source, { dryRun = false } = {}) => {
    const transaction = await bulk.transaction()
    try {
      await lockCardWrites(transaction)
      await openTouched(transaction, null)
      await transaction.raw(
        'insert into touched select sku from observations where source = ? union select sku from sightings where source = ?',
        [source, source]
      )
      for (const table of tables) await transaction.raw('delete from ?? where source = ?', [table, source])
      const withdrawals = await recordWithdrawals(transaction)
      await derive(transaction, projections, null, () => undefined)
      await transaction.raw(
        'delete from set_statements s where not exists (select from observations o where o.statement_id = s.id)'
      )
      await recomputeFirstSeen(transaction)
      await bumpCatalogueVersion(transaction)
      await (dryRun ? transaction.rollback() : commit(transaction))
      return withdrawals
    } catch (error) {
      await transaction.rollback().catch(() => undefined)
      throw error
    }
  }
