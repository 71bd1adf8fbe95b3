import { closed, Count, Moment, nullable, NullableText, Path, Text, Texts, Type, type DataOf } from 'pantry/data'
import { Stated } from './money.ts'
import { approvals, auctionTypes, conditions, licenses } from './row.ts'
import { disputeStates, states } from './states.ts'

export const When = nullable(Moment)
export const Amount = nullable(Stated)

/** Schema of an auction id. A text that cannot be an id gets 404, like an unknown id. */
export const AuctionId = Type.String({ minLength: 1, maxLength: 80, description: 'Id of the auction.' })

/** The members of an auction in a list. */
const listed = {
  id: Text,
  sku: Text,
  title: Text,
  condition: Type.Enum([...conditions]),
  auction_type: Type.Enum([...auctionTypes]),
  status: Type.Enum([...states]),
  starting_price: Stated,
  current_price: Stated,
  buy_now_price: Amount,
  bid_count: Count,
  starts_at: When,
  ends_at: When,
  actual_end_at: When
}

/** A public bid, without the bidder; `number` counts the bids of the auction. */
export const PublicBid = closed({
  number: Count,
  amount: Stated,
  is_best_offer: Type.Literal(false),
  status: Type.Literal('active'),
  created_at: Moment,
  is_own: Type.Boolean()
})
export type PublicBid = DataOf<typeof PublicBid>

/** The public members of an auction. The only person in it is the seller, if they agreed. */
const shown = {
  ...listed,
  description: Text,
  license: Type.Enum([...licenses], { description: 'What others may do with the words of the seller.' }),
  is_consignment: Type.Boolean(),
  min_next_bid: nullable(Stated, 'The least that counts now; null where nobody can bid.'),
  bid_increment: Amount,
  reserve_met: nullable(Type.Boolean(), 'Null without a reserve.'),
  dutch_start_price: Amount,
  dutch_end_price: Amount,
  dutch_price_drop: Amount,
  dutch_drop_interval_seconds: nullable(Count),
  computed_price: nullable(Stated, 'The price of a Dutch auction at `server_time`.'),
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

/** The members that only the two parties of a trade and admins see. */
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
      state: Type.Enum([...disputeStates]),
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
  approval_status: Type.Enum([...approvals]),
  approval_notes: NullableText,
  buyer: nullable(closed({ username: Text })),
  shipping_address: NullableText
}

export const PublicAuction = closed({ viewer_role: Type.Literal('public'), ...shown })
export const WinnerAuction = closed({
  viewer_role: Type.Literal('winner'),
  ...shown,
  ...trade,
  sold_by: nullable(closed({ username: Text }))
})
export const SellerAuction = closed({ viewer_role: Type.Literal('seller'), ...shown, ...trade, ...owners })
export const AdminAuction = closed({
  viewer_role: Type.Literal('admin'),
  ...shown,
  ...trade,
  ...owners,
  sold_by: nullable(closed({ username: Text })),
  is_removed: Type.Boolean(),
  events: Type.Array(closed({ act: Text, from: Text, to: Text, who: Text, at: Moment }))
})
export type PublicAuction = DataOf<typeof PublicAuction>
export type WinnerAuction = DataOf<typeof WinnerAuction>
export type SellerAuction = DataOf<typeof SellerAuction>
export type AdminAuction = DataOf<typeof AdminAuction>

/** The members that all projections share. */
export type OpenAuction = Omit<PublicAuction, 'viewer_role'>

/** The schema of an auction for any viewer. */
export const ShownAuction = Type.Union([PublicAuction, WinnerAuction, SellerAuction, AdminAuction])
export type ShownAuction = PublicAuction | WinnerAuction | SellerAuction | AdminAuction

/** The schema of an auction in a list. */
export const AuctionItem = closed(listed)
export type AuctionItem = DataOf<typeof AuctionItem>
export const AuctionList = closed({
  auctions: Type.Array(AuctionItem),
  total: Count,
  limit: Count,
  offset: Count,
  server_time: Moment
})
export const itemOf = (auction: OpenAuction): AuctionItem =>
  Object.fromEntries(Object.keys(listed).map(name => [name, auction[name as keyof AuctionItem]])) as AuctionItem

/** The schema of an offer as the seller sees it, without the person who made it. */
export const PrivateOffer = closed({
  offer: Count,
  amount: Stated,
  is_best_offer: Type.Literal(true),
  status: Type.Enum(['active', 'accepted', 'closed']),
  created_at: Moment
})
const OperatorBid = closed({
  id: Count,
  kind: Text,
  amount: Stated,
  status: Text,
  created_at: Moment,
  bidder: NullableText
})
const PublicBids = closed({ viewer_role: Type.Literal('public'), bids: Type.Array(PublicBid) })
const SellerBids = closed({
  viewer_role: Type.Literal('seller'),
  bids: Type.Array(PublicBid),
  offers: Type.Array(PrivateOffer)
})
const AdminBids = closed({
  viewer_role: Type.Literal('admin'),
  bids: Type.Array(PublicBid),
  offers: Type.Array(PrivateOffer),
  records: Type.Array(OperatorBid)
})
export const ShownBids = Type.Union([PublicBids, SellerBids, AdminBids])
export type ShownBids = DataOf<typeof PublicBids> | DataOf<typeof SellerBids> | DataOf<typeof AdminBids>

/** The schema of the result of an act. */
export const ActedShown = closed({
  auction_id: Text,
  act: Text,
  status: Type.Enum([...states]),
  at: Moment,
  amount: nullable(Count, 'Pence that are bound by it.')
})
