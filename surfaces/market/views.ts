import { closed, Count, Moment, nullable, NullableText, Path, Text, Texts, Type, type DataOf } from 'pantry/data'
import { Stated } from './money.ts'
import { approvals, auctionTypes, conditions, licenses } from './row.ts'
import { disputeStates, states } from './states.ts'

const When = nullable(Moment)
const Amount = nullable(Stated)

/** Id of an auction. One that cannot be an id is not found, as any other that is none. */
export const AuctionId = Type.String({ minLength: 1, maxLength: 80, description: 'Id of the auction.' })

/** What a list shows of an auction. */
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

/** What was bid, without whom; `number` counts the bids of the auction. */
export const PublicBid = closed({
  number: Count,
  amount: Stated,
  is_best_offer: Type.Literal(false),
  status: Type.Literal('active'),
  created_at: Moment,
  is_own: Type.Boolean()
})
export type PublicBid = DataOf<typeof PublicBid>

/** What everyone may see of an auction. No member of it is of a person but the seller, who agreed. */
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

/** What the two sides of a trade, and admins, see of it. */
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

/** What every projection has. */
export type OpenAuction = Omit<PublicAuction, 'viewer_role'>

/** An auction for whoever asks. */
export const ShownAuction = Type.Union([PublicAuction, WinnerAuction, SellerAuction, AdminAuction])
export type ShownAuction = PublicAuction | WinnerAuction | SellerAuction | AdminAuction

/** An auction in a list. */
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

/** An offer, for the seller, without whose it is. */
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

/** What an act came to. */
export const ActedShown = closed({
  auction_id: Text,
  act: Text,
  status: Type.Enum([...states]),
  at: Moment,
  amount: nullable(Count, 'Pence that are bound by it.')
})
