import { closed, Type } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { AuctionRow, auctionColumns, idForm, noAuction, type Store } from './row.ts'

/** Which auctions everyone may find, in SQL over `auctions as a`: submitted, own stock or approved, not removed, and not of somebody who is suspended. */
export const isPublished = `a.status <> 'draft' and a.submitted_at is not null and a.approval in ('not_needed', 'approved') and a.removed_at is null
  and not exists (select from people s where s.id = a.seller and s.suspended_at is not null)`

const FoundRow = closed({ ...AuctionRow.properties, is_published: Type.Boolean() })
const noId = '00000000-0000-0000-0000-000000000000'

type Asks = Readonly<{ person: string | undefined, isAdmin: boolean }>

/**
 * An auction that somebody may find: everyone what is published, its seller, its winner and admins in any case. 404 for any other, after one statement that is the
 * same for what there is not, so that nobody learns from the time it takes what there is.
 */
export async function findAuction ({ rows }: Pick<Store, 'rows'>, knex: Knex, id: string, { person, isAdmin }: Asks, narrow = (query: Knex.QueryBuilder) => query): Promise<AuctionRow> {
  const [found] = await rows(FoundRow, narrow(knex('auctions as a').select(auctionColumns.map(name => `a.${name}`)).select(knex.raw(`(${isPublished}) as is_published`)).where('a.id', idForm.test(id) ? id : noId)))
  if (found === undefined) throw noAuction(id)
  const { is_published: isFound, ...row } = found
  if (isFound || isAdmin || (person !== undefined && (row.seller === person || row.winner === person))) return row
  throw noAuction(id)
}
