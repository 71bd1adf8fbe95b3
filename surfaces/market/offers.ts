import { closed, Count, Moment, nullable, Path, Type, type DataOf, type PathTo } from 'pantry/data'
import { stateAt } from './due.ts'
import { isPublished } from './gate.ts'
import { Stated, stated } from './money.ts'
import { shownPrice } from './price.ts'
import { AuctionRow, auctionColumns, auctionTypes, clockOf, conditions, type Store } from './row.ts'

const most = 20

/** A live auction of a card: a statement of its participants, never a reference price. */
const CollectorOffer = closed({
  auction: Path,
  page: Path,
  auction_type: Type.Enum([...auctionTypes]),
  condition: Type.Enum([...conditions]),
  amount: Stated,
  bid_count: Count,
  ends_at: nullable(Moment)
})

/** The live auctions of a card: the number of auctions and bids, and those that end first. */
export const CollectorOffers = closed({ ask_count: Count, bid_count: Count, offers: Type.Array(CollectorOffer) })
export type CollectorOffers = DataOf<typeof CollectorOffers>

/** Reads the live published auctions of a SKU. */
export async function offersOf(store: Store, sku: string, pathTo: PathTo): Promise<CollectorOffers> {
  const { knex, rows } = store
  const live = knex('auctions as a')
    .where({ 'a.sku': sku })
    .whereRaw(`${stateAt('statement_timestamp()')} = 'live'`)
    .whereRaw(isPublished)
  const [found, [sum], now] = await Promise.all([
    rows(
      AuctionRow,
      live
        .clone()
        .select(auctionColumns.map(name => `a.${name}`))
        .orderBy('a.ends_at')
        .orderBy('a.id')
        .limit(most)
    ),
    rows(
      closed({ asks: Count, bids: Count }),
      live.clone().select(knex.raw('count(*) as asks, coalesce(sum(a.bid_count), 0)::bigint as bids'))
    ),
    clockOf(store, knex)
  ])
  return {
    ask_count: sum?.asks ?? 0,
    bid_count: sum?.bids ?? 0,
    offers: found.map(row => ({
      auction: pathTo('market/auction', { id: row.id }),
      page: pathTo('pages/auctions/auction', { id: row.id }),
      auction_type: row.auction_type,
      condition: row.condition,
      amount: stated(shownPrice(row, now), row.currency),
      bid_count: row.bid_count,
      ends_at: row.ends_at
    }))
  }
}
