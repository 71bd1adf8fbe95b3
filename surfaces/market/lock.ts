import { closed, Text, Type } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { isDueAt } from './due.ts'
import { isPublished } from './gate.ts'
import { auctionColumns, auctionShape, type AuctionRow, type Store } from './row.ts'

const Locked = closed({ ...auctionShape, clock: Text, is_due: Type.Boolean(), is_published: Type.Boolean() })

/** The clock is read once, when the lock is held: what is due and what is late follow from the same moment. */
const lock = `
  with a as materialized (select * from auctions where id = :id for update), held as materialized (select date_trunc('milliseconds', clock_timestamp()) as clock from a)
  select ${auctionColumns.map(name => `a.${name}`).join(', ')}, clock, (${isDueAt('clock')}) as is_due, (${isPublished}) as is_published from held, a`

/**
 * The auction, locked until the transaction ends, with the clock of the database as it is once the lock is held, and
 * whether something is due or everyone may find it; undefined where there is none.
 */
export async function lockAuction(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  id: string
): Promise<Readonly<{ row: AuctionRow; now: number; isDue: boolean; isPublished: boolean }> | undefined> {
  const [found] = await rows(Locked, transaction.raw(lock, { id }))
  if (found === undefined) return undefined
  const { clock, is_due: isDue, is_published: isPublished, ...row } = found
  return { row, now: Date.parse(clock), isDue, isPublished }
}
