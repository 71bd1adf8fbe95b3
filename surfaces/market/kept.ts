import { closed, Count, Moment, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import { Stated, stated } from './money.ts'
import { AuctionFacts, type Store } from './row.ts'

const Sides = Type.Enum(['seller', 'winner'])
const {
  id, sku, title, description, condition, license, auction_type, status, currency, winning_price, actual_end_at, paid_at, shipped_at, received_at, carrier, tracking_number, cancel_reason,
  dispute, dispute_by, dispute_statement, dispute_at, dispute_reason
} = AuctionFacts.properties
/** What somebody has won, without what the seller alone knows of it. */
const Won = closed({
  id, sku, title, description, condition, license, auction_type, status, currency, winning_price, actual_end_at, paid_at, shipped_at, received_at, carrier, tracking_number, cancel_reason,
  dispute, dispute_by, dispute_statement, dispute_at, dispute_reason
})
const OwnBid = closed({ id: Count, auction: Text, kind: Text, amount: Stated, state: Text, at: Moment })
const OwnAddress = closed({ auction: Text, address: Text, given_at: Moment })
const Received = closed({ auction: Text, by: Sides, stars: Count, text: Text, license: Text, written_at: Moment, removed_at: nullable(Moment), removed_reason: NullableText })
const Written = closed({ ...Received.properties, reviewer_score: Count })
const OwnSignal = closed({ id: Text, severity: Text, reason: Text, set_at: Moment, resolved_at: nullable(Moment) })
const OwnKey = closed({ route: Text, key: Text, digest: Text, status: Count, body: Type.Record(Text, Type.Unknown()), created_at: Moment })

/** All that the market keeps of a person. Of who is on the other side of a trade it says nothing: that is theirs. */
export const MarketKept = closed({
  sold: Type.Array(AuctionFacts, { description: 'What you offer or have sold.' }),
  won: Type.Array(Won, { description: 'What you have won.' }),
  bids: Type.Array(OwnBid, { description: 'What you bid, bought for and offered.' }),
  addresses: Type.Array(OwnAddress),
  reviews_written: Type.Array(Written),
  reviews_received: Type.Array(Received),
  fraud_signals: Type.Array(OwnSignal),
  idempotency_keys: Type.Array(OwnKey, { description: 'Requests of the last 24 hours that can be repeated without harm.' })
})
type MarketKept = DataOf<typeof MarketKept>

/** Reads all that the market keeps of a person, for them alone. */
export async function keptOf ({ knex, rows }: Store, person: string): Promise<MarketKept> {
  const columnsOf = (schema: Readonly<{ properties: Readonly<Record<string, unknown>> }>): string[] => Object.keys(schema.properties)
  const [sold, won, bids, addresses, written, received, signals, keys] = await Promise.all([
    rows(AuctionFacts, knex('auctions').select(columnsOf(AuctionFacts)).where({ seller: person }).orderBy('created_at').orderBy('id')),
    rows(Won, knex('auctions').select(columnsOf(Won)).where({ winner: person }).orderBy('created_at').orderBy('id')),
    rows(closed({ ...OwnBid.properties, amount: Count, currency }), knex('auction_bids as b').join('auctions as a', 'a.id', 'b.auction').select('b.id', 'b.auction', 'b.kind', 'b.amount', 'b.state', 'b.at', 'a.currency').where('b.bidder', person).orderBy('b.id')),
    rows(OwnAddress, knex('auction_addresses').select(columnsOf(OwnAddress)).where({ person }).orderBy('given_at')),
    rows(Written, knex('auction_reviews').select(columnsOf(Written)).where({ author: person }).orderBy('written_at').orderBy('id')),
    rows(Received, knex('auction_reviews').select(columnsOf(Received)).where({ about: person }).orderBy('written_at').orderBy('id')),
    rows(OwnSignal, knex('fraud_signals').select(columnsOf(OwnSignal)).where({ person }).orderBy('set_at')),
    rows(OwnKey, knex('idempotency_keys').select(columnsOf(OwnKey)).where({ person }).orderBy('created_at'))
  ])
  return {
    sold: [...sold], won: [...won],
    bids: bids.map(({ amount, currency: of, ...bid }) => ({ ...bid, amount: stated(amount, of) })),
    addresses: [...addresses], reviews_written: [...written], reviews_received: [...received], fraud_signals: [...signals], idempotency_keys: [...keys]
  }
}
