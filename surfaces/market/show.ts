import { closed, Count, nullable, NullableText, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import type { Store } from '../common/repository.ts'
import { isPublic, auctionNotFound, type AuctionRow, type Viewer } from './auction.ts'
import { minimumBid, nextChange, paymentDays, shownPrice } from './bidding.ts'
import { statedAmount } from './money.ts'
import { actsOf, rolesIn } from './perform.ts'
import type { PrivateOffer, PublicAuction, PublicBid, ShownAuction, ShownBids } from './views.ts'

/** What is shown of an auction from other tables. `published` is the name of the seller if their profile is public. */
const AuctionDetails = closed({
  published: nullable(Text),
  seller: nullable(Text),
  buyer: nullable(Text),
  address: nullable(Text),
  reviewed_by: Type.Array(Type.Enum(['seller', 'winner'])),
  events: Type.Array(closed({ id: Count, act: Text, from: Text, to: Text, who: Text, at: Text }))
})
type AuctionDetails = DataOf<typeof AuctionDetails>

const details = `
  select p.username as seller, w.username as buyer, d.address,
    case when ${isPublic} then p.username end as published,
    coalesce((select jsonb_agg(v.by order by v.by) from auction_reviews v where v.auction = a.id), '[]') as reviewed_by,
    coalesce((select jsonb_agg(jsonb_build_object('id', e.id, 'act', e.act, 'from', e.from_state, 'to', e.to_state, 'who', e.who, 'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.id)
      from auction_events e where e.auction = a.id), '[]') as events
  from auctions a left join people p on p.id = a.seller left join people w on w.id = a.winner left join auction_addresses d on d.auction = a.id where a.id = :id`

export async function readDetails({ knex, rows }: Store, id: string, notice: string): Promise<AuctionDetails> {
  const [found] = await rows(AuctionDetails, knex.raw(details, { id, notice }))
  if (found === undefined) throw auctionNotFound(id)
  return found
}

/** Returns what everyone sees of an auction. Lists each member explicitly, so that nothing else can leak. */
export function publicOf(
  row: AuctionRow,
  published: string | null,
  bids: readonly PublicBid[],
  now: number,
  pathTo: PathTo
): PublicAuction {
  const { currency } = row
  return {
    viewer_role: 'public',
    id: row.id,
    sku: row.sku,
    title: row.title,
    description: row.description,
    license: row.license,
    condition: row.condition,
    auction_type: row.auction_type,
    status: row.status,
    is_consignment: row.is_consignment,
    starting_price: statedAmount(row.starting_price, currency),
    current_price: statedAmount(shownPrice(row, now), currency),
    min_next_bid: row.status === 'live' ? statedAmount(minimumBid(row, now), currency) : null,
    bid_increment: statedAmount(row.bid_increment, currency),
    buy_now_price: statedAmount(row.buy_now_price, currency),
    reserve_met: row.reserve_price === null ? null : (row.current_price ?? 0) >= row.reserve_price,
    dutch_start_price: statedAmount(row.auction_type === 'dutch' ? row.starting_price : null, currency),
    dutch_end_price: statedAmount(row.dutch_end_price, currency),
    dutch_price_drop: statedAmount(row.dutch_price_drop, currency),
    dutch_drop_interval_seconds: row.dutch_drop_interval_seconds,
    computed_price: statedAmount(
      row.auction_type === 'dutch' && row.status === 'live' ? minimumBid(row, now) : null,
      currency
    ),
    next_drop_at: row.status === 'live' ? nextChange(row, now) : null,
    allow_best_offer: row.allow_best_offer,
    bid_count: row.bid_count,
    extensions: row.extensions,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    actual_end_at: row.actual_end_at,
    is_sold: row.winning_bid !== null && row.status !== 'cancelled',
    seller:
      published === null ? null : { username: published, trust: pathTo('pages/people/trust', { username: published }) },
    bids: [...bids],
    created_at: row.created_at,
    updated_at: row.updated_at,
    server_time: new Date(now).toISOString()
  }
}

function tradeOf(row: AuctionRow, { address, reviewed_by: by }: AuctionDetails, { person, isAdmin }: Viewer) {
  const roles = person === undefined ? [] : rolesIn(row, { person, isAdmin })
  return {
    payment_expires_at:
      row.winning_bid === null || row.actual_end_at === null
        ? null
        : new Date(Date.parse(row.actual_end_at) + paymentDays * 86_400_000).toISOString(),
    paid_at: row.paid_at,
    shipped_to_buyer_at: row.shipped_at,
    buyer_received_at: row.received_at,
    carrier_to_buyer: row.carrier,
    tracking_to_buyer: row.tracking_number,
    has_address: address !== null,
    cancel_reason: row.cancel_reason,
    dispute:
      row.dispute === null || row.dispute_by === null
        ? null
        : {
            state: row.dispute,
            by: row.dispute_by,
            statement: row.dispute_statement ?? '',
            reason: row.dispute_reason
          },
    reviewed_by: [...by],
    acts: actsOf(row, roles)
  }
}

const named = (username: string | null) => (username === null ? null : { username })
const ownersOf = (row: AuctionRow, { buyer, address }: AuctionDetails) => ({
  reserve_price: statedAmount(row.reserve_price, row.currency),
  approval_status: row.approval,
  approval_notes: row.approval_notes,
  buyer: named(buyer),
  shipping_address: address
})

/** Returns what the viewer may see of an auction: as an admin, the seller, the winner or the public. */
export function shownTo(
  viewer: Viewer,
  row: AuctionRow,
  details: AuctionDetails,
  bids: readonly PublicBid[],
  now: number,
  pathTo: PathTo
): ShownAuction {
  const open = publicOf(row, details.published, bids, now, pathTo)
  const { person, isAdmin } = viewer
  if (!isAdmin && (person === undefined || (row.seller !== person && row.winner !== person))) return open
  const trade = tradeOf(row, details, viewer)
  const sold_by = named(details.seller)
  if (isAdmin) {
    const events = details.events.map(({ act, from, to, who, at }) => ({ act, from, to, who, at }))
    const is_removed = row.removed_at !== null
    return { ...open, ...trade, viewer_role: 'admin', ...ownersOf(row, details), sold_by, is_removed, events }
  }
  return row.seller === person
    ? { ...open, ...trade, viewer_role: 'seller', ...ownersOf(row, details) }
    : { ...open, ...trade, viewer_role: 'winner', sold_by }
}

const BidRow = closed({
  id: Count,
  number: Count,
  kind: Text,
  amount: Count,
  at: Text,
  state: Text,
  bidder: NullableText,
  username: NullableText
})
type BidRow = DataOf<typeof BidRow>

const [recent, maxBids] = [50, 1000]

/**
 * Query for the bids and offers of an auction, the newest first. Bids and offers are numbered separately, from 1 for
 * the oldest.
 */
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

const publicBid = (
  { number, amount, at, bidder }: BidRow,
  { currency }: AuctionRow,
  { person }: Viewer
): PublicBid => ({
  number,
  amount: statedAmount(amount, currency),
  is_best_offer: false,
  status: 'active',
  created_at: at,
  is_own: person !== undefined && bidder === person
})

const statusOf = (state: string): DataOf<typeof PrivateOffer>['status'] =>
  state === 'accepted' || state === 'closed' ? state : 'active'

export async function recentBids(store: Store, row: AuctionRow, viewer: Viewer): Promise<PublicBid[]> {
  return (await store.rows(BidRow, bidsOf(store, row.id).whereNot('b.kind', 'offer').limit(recent))).map(one =>
    publicBid(one, row, viewer)
  )
}

export async function shownBids(store: Store, row: AuctionRow, viewer: Viewer): Promise<ShownBids> {
  const all = (await store.rows(BidRow, bidsOf(store, row.id).limit(maxBids))).toReversed()
  const bids = all.filter(({ kind }) => kind !== 'offer').map(one => publicBid(one, row, viewer))
  const offers = all
    .filter(({ kind }) => kind === 'offer')
    .map(({ id, amount, at, state }) => ({
      offer: id,
      amount: statedAmount(amount, row.currency),
      is_best_offer: true as const,
      status: statusOf(state),
      created_at: at
    }))
  if (viewer.isAdmin) {
    const records = all.map(({ id, kind, amount, at, state, username }) => {
      return { id, kind, amount: statedAmount(amount, row.currency), status: state, created_at: at, bidder: username }
    })
    return { viewer_role: 'admin', bids, offers, records }
  }
  return viewer.person !== undefined && row.seller === viewer.person
    ? { viewer_role: 'seller', bids, offers }
    : { viewer_role: 'public', bids }
}
