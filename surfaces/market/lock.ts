import { closed, Text, Type } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { isDueAt } from './due.ts'
import { isPublished } from './gate.ts'
import { auctionColumns, auctionShape, type AuctionRow, type Store } from './row.ts'

const LockedAuction = closed({ ...auctionShape, clock: Text, is_due: Type.Boolean(), is_published: Type.Boolean() })

/** Query that locks an auction and then reads the clock once, so that everything is judged by the same moment. */
const lock = `
  with a as materialized (select * from auctions where id = :id for update), held as materialized (select date_trunc('milliseconds', clock_timestamp()) as clock from a)
  select ${auctionColumns.map(name => `a.${name}`).join(', ')}, clock, (${isDueAt('clock')}) as is_due, (${isPublished}) as is_published from held, a`

/**
 * Locks an auction until the transaction ends. Returns it with the clock of the database after the lock, whether a
 * transition is due, and whether it is published; undefined if there is no such auction.
 */
export async function lockAuction(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  id: string
): Promise<Readonly<{ row: AuctionRow; now: number; isDue: boolean; isPublished: boolean }> | undefined> {
  const [found] = await rows(LockedAuction, transaction.raw(lock, { id }))
  if (found === undefined) return undefined
  const { clock, is_due: isDue, is_published: isPublished, ...row } = found
  return { row, now: Date.parse(clock), isDue, isPublished }
}
