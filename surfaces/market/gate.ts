import { closed, Text } from 'pantry/data'
import type { Knex } from 'pantry/database'
import type { AuctionRow, Store } from './row.ts'

/** Which auctions everyone may find, in SQL over `auctions as a`: submitted, own stock or approved, not removed, and not of somebody who is suspended. */
export const isPublished = `a.status <> 'draft' and a.submitted_at is not null and a.approval in ('not_needed', 'approved') and a.removed_at is null
  and not exists (select from people s where s.id = a.seller and s.suspended_at is not null)`

/** Whether an auction is published. */
async function isFound ({ rows }: Pick<Store, 'rows'>, knex: Knex, { id }: Pick<AuctionRow, 'id'>): Promise<boolean> {
  return (await rows(closed({ id: Text }), knex('auctions as a').select('a.id').where('a.id', id).whereRaw(isPublished))).length > 0
}

/** Somebody may find their own auction, one that they have won, and admins each. */
export const isTheirs = (row: AuctionRow, { person, isAdmin }: Readonly<{ person: string | undefined, isAdmin: boolean }>): boolean =>
  isAdmin || (person !== undefined && (row.seller === person || row.winner === person))

/** Whether somebody may find an auction: everyone what is published, its seller, its winner and admins in any case. */
export const mayFind = async (store: Pick<Store, 'rows'>, knex: Knex, row: AuctionRow, asker: Readonly<{ person: string | undefined, isAdmin: boolean }>): Promise<boolean> =>
  isTheirs(row, asker) || await isFound(store, knex, row)
