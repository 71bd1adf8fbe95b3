import { closed, Count, Moment, nullable, NullableText, Path, Text, Texts, Type, type DataOf } from 'pantry/data'
import { approvals, auctionTypes, conditions, disputeStates, licenses, states } from './auction.ts'
import { StatedAmount } from './money.ts'
import { tierNames, type TrustShown } from './trust.ts'

const When = nullable(Moment)
const Amount = nullable(StatedAmount)
const Person = nullable(closed({ username: Text }))

/** The id of an auction in a path. A text that cannot be an id gets the same 404 as an unknown id. */
export const AuctionId = Type.String({ minLength: 1, maxLength: 80, description: 'Id of the auction.' })

const listed = {
  id: Text,
  sku: Text,
  title: Text,
  condition: Type.Enum(conditions),
  auction_type: Type.Enum(auctionTypes),
  status: Type.Enum(states),
  starting_price: StatedAmount,
  current_price: StatedAmount,
  buy_now_price: Amount,
  bid_count: Count,
  starts_at: When,
  ends_at: When,
  actual_end_at: When
}

/**
 * A bid as everyone sees it, without its bidder. `number` is its place among the bids of the auction, from 1 for the
 * oldest; offers are not counted.
 */
export const PublicBid = closed({
  number: Count,
  amount: StatedAmount,
  is_best_offer: Type.Literal(false),
  status: Type.Literal('active'),
  created_at: Moment,
  is_own: Type.Boolean()
})
export type PublicBid = DataOf<typeof PublicBid>

/** Members that everyone sees. The only person in them is the seller, if they agreed to a public profile. */
const shown = {
  ...listed,
  description: Text,
  license: Type.Enum(licenses, { description: 'What others may do with the words of the seller.' }),
  is_consignment: Type.Boolean(),
  min_next_bid: nullable(StatedAmount, 'The least that counts now; null where nobody can bid.'),
  bid_increment: Amount,
  reserve_met: nullable(Type.Boolean(), 'Null without a reserve.'),
  dutch_start_price: Amount,
  dutch_end_price: Amount,
  dutch_price_drop: Amount,
  dutch_drop_interval_seconds: nullable(Count),
  computed_price: nullable(StatedAmount, 'The price of a Dutch auction at `server_time`.'),
  next_drop_at: When,
  allow_best_offer: Type.Boolean(),
  extensions: Count,
  is_sold: Type.Boolean(),
  seller: nullable(
    closed({ username: Text, trust: Path }),
    'Null unless the seller agreed that their profile is public.'
  ),
  bids: Type.Array(PublicBid, { description: 'The last 50.' }),
  created_at: Moment,
  updated_at: Moment,
  server_time: Moment
}

/** Members that only the seller, the winner and admins see. */
const trade = {
  payment_expires_at: When,
  paid_at: When,
  shipped_to_buyer_at: When,
  buyer_received_at: When,
  carrier_to_buyer: NullableText,
  tracking_to_buyer: NullableText,
  has_address: Type.Boolean(),
  cancel_reason: NullableText,
  dispute: nullable(
    closed({
      state: Type.Enum(disputeStates),
      by: Type.Enum(['seller', 'winner']),
      statement: Text,
      reason: NullableText
    })
  ),
  reviewed_by: Type.Array(Type.Enum(['seller', 'winner'])),
  acts: Texts
}
const owners = {
  reserve_price: Amount,
  approval_status: Type.Enum(approvals),
  approval_notes: NullableText,
  buyer: Person,
  shipping_address: NullableText
}

export const PublicAuction = closed({ viewer_role: Type.Literal('public'), ...shown })
export const WinnerAuction = closed({ viewer_role: Type.Literal('winner'), ...shown, ...trade, sold_by: Person })
export const SellerAuction = closed({ viewer_role: Type.Literal('seller'), ...shown, ...trade, ...owners })
export const AdminAuction = closed({
  viewer_role: Type.Literal('admin'),
  ...shown,
  ...trade,
  ...owners,
  sold_by: Person,
  is_removed: Type.Boolean(),
  events: Type.Array(closed({ act: Text, from: Text, to: Text, who: Text, at: Moment }))
})
export type PublicAuction = DataOf<typeof PublicAuction>
export type WinnerAuction = DataOf<typeof WinnerAuction>
export type SellerAuction = DataOf<typeof SellerAuction>
export type AdminAuction = DataOf<typeof AdminAuction>

export type BaseAuction = Omit<PublicAuction, 'viewer_role'>

export const ShownAuction = Type.Union([PublicAuction, WinnerAuction, SellerAuction, AdminAuction])
export type ShownAuction = PublicAuction | WinnerAuction | SellerAuction | AdminAuction

export const AuctionItem = closed(listed)
export type AuctionItem = DataOf<typeof AuctionItem>
export const AuctionList = closed({
  auctions: Type.Array(AuctionItem),
  total: Count,
  limit: Count,
  offset: Count,
  server_time: Moment
})
export const itemOf = (auction: BaseAuction): AuctionItem =>
  Object.fromEntries(Object.keys(listed).map(name => [name, auction[name as keyof AuctionItem]])) as AuctionItem

/** An offer as the seller and admins see it, without the person who made it. */
export const PrivateOffer = closed({
  offer: Count,
  amount: StatedAmount,
  is_best_offer: Type.Literal(true),
  status: Type.Enum(['active', 'accepted', 'closed']),
  created_at: Moment
})
const OperatorBid = closed({
  id: Count,
  kind: Text,
  amount: StatedAmount,
  status: Text,
  created_at: Moment,
  bidder: NullableText
})
const bids = { bids: Type.Array(PublicBid) }
const offers = { ...bids, offers: Type.Array(PrivateOffer) }
const PublicBids = closed({ viewer_role: Type.Literal('public'), ...bids })
const SellerBids = closed({ viewer_role: Type.Literal('seller'), ...offers })
const AdminBids = closed({ viewer_role: Type.Literal('admin'), ...offers, records: Type.Array(OperatorBid) })
export const ShownBids = Type.Union([PublicBids, SellerBids, AdminBids])
export type ShownBids = DataOf<typeof PublicBids> | DataOf<typeof SellerBids> | DataOf<typeof AdminBids>

export const ActedShown = closed({
  auction_id: Text,
  act: Text,
  status: Type.Enum(states),
  at: Moment,
  amount: nullable(Count, 'Pence that are bound by it.')
})

/** What everyone sees of an auction, with its members grouped by subject, and with the trust score of the seller. */
export const AuctionBlocks = closed({
  meta: closed({
    id: Text,
    title: Text,
    description: Text,
    sku: Text,
    condition: Type.Enum(conditions),
    auction_type: Type.Enum(auctionTypes),
    status: Type.Enum(states),
    is_consignment: Type.Boolean(),
    license: Type.Enum(licenses),
    created_at: Moment,
    updated_at: Moment
  }),
  pricing: closed({
    starting_price: StatedAmount,
    current_price: StatedAmount,
    bid_increment: Amount,
    buy_now_price: Amount,
    min_next_bid: Amount,
    dutch_computed_price: Amount,
    dutch: nullable(
      closed({
        start_price: StatedAmount,
        end_price: StatedAmount,
        drop_amount: StatedAmount,
        drop_interval_seconds: Count,
        next_drop_at: When
      })
    ),
    allow_best_offer: Type.Boolean()
  }),
  timing: closed({
    starts_at: When,
    ends_at: When,
    actual_end_at: When,
    extensions: Count,
    server_time: Moment,
    time_remaining_ms: nullable(Count, 'Until it ends, at `server_time`; null unless it is live.'),
    time_remaining: nullable(closed({ days: Count, hours: Count, minutes: Count, seconds: Count })),
    has_started: Type.Boolean(),
    has_ended: Type.Boolean()
  }),
  reserve: closed({ reserve_met: nullable(Type.Boolean(), 'Null without a reserve.') }),
  bids: closed({ recent: Type.Array(PublicBid, { description: 'The last 50, the newest first.' }), bid_count: Count }),
  winner: nullable(
    closed({ winning_bid: StatedAmount, paid: Type.Boolean() }),
    'That somebody won, and for how much; never who.'
  ),
  seller: nullable(
    closed({
      username: Text,
      display_name: Text,
      trust_tier: Type.Enum(tierNames),
      trust_score: Count,
      is_consignment: Type.Boolean(),
      trust: Path
    }),
    'Null unless the seller agreed that their profile is public.'
  )
})
export type AuctionBlocks = DataOf<typeof AuctionBlocks>

export const partsOf = (seconds: number) => ({
  days: Math.floor(seconds / 86_400),
  hours: Math.floor(seconds / 3600) % 24,
  minutes: Math.floor(seconds / 60) % 60,
  seconds: seconds % 60
})

export function blocksOf(auction: PublicAuction, trust: TrustShown | undefined): AuctionBlocks {
  const {
    id,
    title,
    description,
    sku,
    condition,
    auction_type,
    status,
    is_consignment,
    license,
    created_at,
    updated_at,
    starting_price,
    current_price,
    bid_increment,
    buy_now_price,
    min_next_bid,
    dutch_start_price: start,
    dutch_end_price: end,
    dutch_price_drop: drop,
    dutch_drop_interval_seconds: interval,
    computed_price: computed,
    next_drop_at,
    allow_best_offer,
    starts_at,
    ends_at,
    actual_end_at,
    extensions,
    server_time,
    reserve_met,
    bids,
    bid_count,
    is_sold,
    seller
  } = auction
  const left = status === 'live' && ends_at !== null ? Math.max(0, Date.parse(ends_at) - Date.parse(server_time)) : null
  return {
    meta: {
      id,
      title,
      description,
      sku,
      condition,
      auction_type,
      status,
      is_consignment,
      license,
      created_at,
      updated_at
    },
    pricing: {
      starting_price,
      current_price,
      bid_increment,
      buy_now_price,
      min_next_bid,
      dutch_computed_price: computed,
      dutch:
        start === null || end === null || drop === null || interval === null
          ? null
          : { start_price: start, end_price: end, drop_amount: drop, drop_interval_seconds: interval, next_drop_at },
      allow_best_offer
    },
    timing: {
      starts_at,
      ends_at,
      actual_end_at,
      extensions,
      server_time,
      time_remaining_ms: left,
      time_remaining: left === null ? null : partsOf(Math.floor(left / 1000)),
      has_started: starts_at !== null && starts_at <= server_time,
      has_ended: status === 'ended' || status === 'paid' || status === 'cancelled'
    },
    reserve: { reserve_met },
    bids: { recent: bids, bid_count },
    winner: is_sold ? { winning_bid: current_price, paid: status === 'paid' } : null,
    seller:
      seller === null || trust === undefined
        ? null
        : {
            username: seller.username,
            display_name: trust.display_name,
            trust_tier: trust.tier.name,
            trust_score: trust.trust_score,
            is_consignment,
            trust: seller.trust
          }
  }
}
