import { closed, Count, NullableText, Text, type DataOf } from 'pantry/data'
import { stated } from './money.ts'
import type { AuctionRow, Store } from './row.ts'
import type { Viewer } from './show.ts'
import type { PrivateOffer, PublicBid, ShownBids } from './views.ts'

const Bid = closed({
  id: Count,
  number: Count,
  kind: Text,
  amount: Count,
  at: Text,
  state: Text,
  bidder: NullableText,
  username: NullableText
})
type Bid = DataOf<typeof Bid>

const [recent, most] = [50, 1000]

/** Query for bids and offers, the newest first; bids and offers are numbered separately from 1. */
const bidsOf = ({ knex }: Store, auction: string) =>
  knex('auction_bids as b')
    .leftJoin('people as p', 'p.id', 'b.bidder')
    .where('b.auction', auction)
    .orderBy('b.id', 'desc')
    .select(
      'b.id',
      knex.raw("row_number() over (partition by b.kind = 'offer' order by b.id) as number"),
      'b.kind',
      'b.amount',
      'b.at',
      'b.state',
      'b.bidder',
      'p.username'
    )

const publicBid = ({ number, amount, at, bidder }: Bid, { currency }: AuctionRow, { person }: Viewer): PublicBid => ({
  number,
  amount: stated(amount, currency),
  is_best_offer: false,
  status: 'active',
  created_at: at,
  is_own: person !== undefined && bidder === person
})

const statusOf = (state: string): DataOf<typeof PrivateOffer>['status'] =>
  state === 'accepted' || state === 'closed' ? state : 'active'

/** Returns the last 50 bids, the newest first, without the bidders. */
export async function recentBids(store: Store, row: AuctionRow, viewer: Viewer): Promise<PublicBid[]> {
  return (await store.rows(Bid, bidsOf(store, row.id).whereNot('b.kind', 'offer').limit(recent))).map(one =>
    publicBid(one, row, viewer)
  )
}

/** Returns the bids without the bidders; the seller also gets offers, and an admin the people as well. */
export async function shownBids(store: Store, row: AuctionRow, viewer: Viewer): Promise<ShownBids> {
  const all = (await store.rows(Bid, bidsOf(store, row.id).limit(most))).toReversed()
  const bids = all.filter(({ kind }) => kind !== 'offer').map(one => publicBid(one, row, viewer))
  const offers = all
    .filter(({ kind }) => kind === 'offer')
    .map(({ id, amount, at, state }) => ({
      offer: id,
      amount: stated(amount, row.currency),
      is_best_offer: true as const,
      status: statusOf(state),
      created_at: at
    }))
  if (viewer.isAdmin)
    return {
      viewer_role: 'admin',
      bids,
      offers,
      records: all.map(({ id, kind, amount, at, state, username }) => ({
        id,
        kind,
        amount: stated(amount, row.currency),
        status: state,
        created_at: at,
        bidder: username
      }))
    }
  return viewer.person !== undefined && row.seller === viewer.person
    ? { viewer_role: 'seller', bids, offers }
    : { viewer_role: 'public', bids }
}
