import { closed, Count, notFound, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { isId } from '../ids.ts'
import { currencies } from './money.ts'
import { states } from './states.ts'

export const auctionTypes = ['english', 'dutch', 'buy_now'] as const
export const conditions = ['NM', 'LP', 'MP', 'HP', 'DMG'] as const
/** What others may do with what a participant writes: nothing, unless its author chose a license. */
export const licenses = ['NOASSERTION', 'CC0-1.0', 'CC-BY-4.0'] as const
export const approvals = ['not_needed', 'pending', 'approved', 'refused'] as const
export const disputeStates = ['reported', 'open', 'for_seller', 'for_buyer', 'split', 'dismissed'] as const

const MaybePence = nullable(Count)

/** Columns of an auction: what is offered, what came of it, and how it went on. */
const offered = {
  id: Text, sku: Text, title: Text, description: Text, condition: Type.Enum([...conditions]), auction_type: Type.Enum([...auctionTypes]), status: Type.Enum([...states]),
  is_consignment: Type.Boolean(), approval: Type.Enum([...approvals]), approval_notes: NullableText, license: Type.Enum([...licenses]), currency: Type.Enum([...currencies]),
  starting_price: Count, reserve_price: MaybePence, bid_increment: MaybePence, buy_now_price: MaybePence, dutch_end_price: MaybePence, dutch_price_drop: MaybePence, dutch_drop_interval_seconds: MaybePence,
  allow_best_offer: Type.Boolean(), starts_at: NullableText, ends_at: NullableText
}
const happened = {
  current_price: MaybePence, winning_price: MaybePence, extensions: Count, bid_count: Count, leading_bid: MaybePence, winning_bid: MaybePence, submitted_at: NullableText,
  actual_end_at: NullableText, paid_at: NullableText, shipped_at: NullableText, received_at: NullableText, removed_at: NullableText, carrier: NullableText, tracking_number: NullableText,
  cancel_reason: NullableText, cancelled_by: nullable(Type.Enum(['seller', 'admin', 'clock'])),
  dispute: nullable(Type.Enum([...disputeStates])), dispute_by: nullable(Type.Enum(['seller', 'winner'])), dispute_statement: NullableText, dispute_at: NullableText, dispute_reason: NullableText,
  created_at: Text, updated_at: Text
}

/** An auction as the store holds it. */
export const auctionShape = { ...offered, ...happened, seller: NullableText, winner: NullableText } as const
export const AuctionRow = closed(auctionShape)
export type AuctionRow = DataOf<typeof AuctionRow>
export type AuctionChange = Partial<{ -readonly [Name in keyof AuctionRow]: AuctionRow[Name] }>
export const auctionColumns = Object.keys(AuctionRow.properties)

/** The store as the market uses it: the primary server alone. */
export type Store = Pick<Database, 'knex' | 'rows'>

const noId = '00000000-0000-0000-0000-000000000000'

/** The id that a text is; one that nothing has for a text that is none, so that it is looked up like any other. */
export const idOf = (text: string): string => isId(text) ? text : noId

/** 404: the same for what is unknown, not published, removed, or of a seller who is suspended. */
export const noAuction = (id: string) => notFound('auction', id)

/** What time it is for the database, in milliseconds. */
export async function clockOf ({ rows }: Pick<Store, 'rows'>, knex: Knex): Promise<number> {
  const [clock] = await rows(closed({ at: Text }), knex.raw('select clock_timestamp() as at'))
  return Date.parse(clock?.at ?? '')
}

/** A bid, a purchase or an offer, to be stored with what it changes. */
export type NewBid = Readonly<{ bidder: string, kind: 'bid' | 'buy' | 'offer', amount: number, state: 'placed' | 'open' }>
/** Columns of an auction that name the bid that is stored with the change. */
export type NamesBid = 'leading_bid' | 'winning_bid'

/** Writes a change, what it was, and the bid that made it, in one statement: the auction is held no longer than it has to be. Gives the auction as it is then. */
export async function writeEvent ({ rows }: Pick<Store, 'rows'>, transaction: Knex.Transaction, row: AuctionRow, event: Readonly<{ act: string, to: string, who: string, at: number }>, change: AuctionChange, bid?: NewBid, names: readonly NamesBid[] = []): Promise<AuctionRow> {
  const at = new Date(event.at)
  const write = transaction('auctions').where({ id: row.id }).with('told', transaction('auction_events').insert({ auction: row.id, from_state: row.status, act: event.act, to_state: event.to, who: event.who, at }))
  if (bid !== undefined) void write.with('made', transaction('auction_bids').insert({ ...bid, auction: row.id, at }).returning('id'))
  const [written] = await rows(AuctionRow, write.update({ ...change, ...Object.fromEntries(names.map(name => [name, transaction.raw('(select id from made)')])), status: event.to, updated_at: at }).returning(auctionColumns))
  return written ?? row
}
