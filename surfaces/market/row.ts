import { closed, Count, notFound, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { isId } from '../ids.ts'
import { currencies } from './money.ts'
import { disputeStates, states, type State } from './states.ts'

export const auctionTypes = ['english', 'dutch', 'buy_now'] as const
export const conditions = ['NM', 'LP', 'MP', 'HP', 'DMG'] as const
/** What others may do with what a participant writes: nothing, unless its author chose a license. */
export const licenses = ['NOASSERTION', 'CC0-1.0', 'CC-BY-4.0'] as const
export const approvals = ['not_needed', 'pending', 'approved', 'refused'] as const

const MaybePence = nullable(Count)

/** Columns of an auction: what is offered, what came of it, and how it went on. */
const offered = {
  id: Text,
  sku: Text,
  title: Text,
  description: Text,
  condition: Type.Enum([...conditions]),
  auction_type: Type.Enum([...auctionTypes]),
  status: Type.Enum([...states]),
  is_consignment: Type.Boolean(),
  approval: Type.Enum([...approvals]),
  approval_notes: NullableText,
  license: Type.Enum([...licenses]),
  currency: Type.Enum([...currencies]),
  starting_price: Count,
  reserve_price: MaybePence,
  bid_increment: MaybePence,
  buy_now_price: MaybePence,
  dutch_end_price: MaybePence,
  dutch_price_drop: MaybePence,
  dutch_drop_interval_seconds: MaybePence,
  allow_best_offer: Type.Boolean(),
  starts_at: NullableText,
  ends_at: NullableText
}
const happened = {
  current_price: MaybePence,
  winning_price: MaybePence,
  extensions: Count,
  bid_count: Count,
  leading_bid: MaybePence,
  winning_bid: MaybePence,
  submitted_at: NullableText,
  actual_end_at: NullableText,
  paid_at: NullableText,
  shipped_at: NullableText,
  received_at: NullableText,
  removed_at: NullableText,
  carrier: NullableText,
  tracking_number: NullableText,
  cancel_reason: NullableText,
  cancelled_by: nullable(Type.Enum(['seller', 'admin', 'clock'])),
  dispute: nullable(Type.Enum([...disputeStates])),
  dispute_by: nullable(Type.Enum(['seller', 'winner'])),
  dispute_statement: NullableText,
  dispute_at: NullableText,
  dispute_reason: NullableText,
  created_at: Text,
  updated_at: Text
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
export const idOf = (text: string): string => (isId(text) ? text : noId)

/** 404: the same for what is unknown, not published, removed, or of a seller who is suspended. */
export const noAuction = (id: string) => notFound('auction', id)

/** What time it is for the database, in milliseconds. */
export async function clockOf({ rows }: Pick<Store, 'rows'>, knex: Knex): Promise<number> {
  const [clock] = await rows(closed({ at: Text }), knex.raw('select clock_timestamp() as at'))
  return Date.parse(clock?.at ?? '')
}

/** A bid, a purchase or an offer, to be stored with what it changes. */
export type NewBid = Readonly<{
  bidder: string
  kind: 'bid' | 'buy' | 'offer'
  amount: number
  state: 'placed' | 'open'
}>
/** Columns of an auction that name the bid that is stored with the change. */
export type NamesBid = 'leading_bid' | 'winning_bid'

/** What an act writes: what happened, what changes, the bid that made it, and the columns that name that bid. */
export type Written = Readonly<{
  from: State
  act: string
  to: State
  who: string
  at: number
  change: AuctionChange
  bid: NewBid | undefined
  names: readonly NamesBid[]
}>

/** The auction as it is after an act. Which bid it names is known once the act is written. */
export const after = (row: AuctionRow, { change, to, at }: Written): AuctionRow => ({
  ...row,
  ...change,
  status: to,
  updated_at: new Date(at).toISOString()
})

/**
 * Writes acts that followed each other, in one statement: the auction is held no longer than it has to be. A column
 * that names a bid names the last one that is no offer.
 */
export async function writeActs(
  transaction: Knex.Transaction,
  auction: string,
  acts: readonly Written[]
): Promise<void> {
  const last = acts.at(-1)
  if (last === undefined) return
  const bids = acts.flatMap(({ bid, at }) => (bid === undefined ? [] : [{ ...bid, auction, at: new Date(at) }]))
  const write = transaction('auctions')
    .where({ id: auction })
    .with(
      'told',
      transaction('auction_events').insert(
        acts.map(({ from, act, to, who, at }) => ({
          auction,
          from_state: from,
          act,
          to_state: to,
          who,
          at: new Date(at)
        }))
      )
    )
  if (bids.length > 0) void write.with('made', transaction('auction_bids').insert(bids).returning(['id', 'kind']))
  const changes = Object.fromEntries(acts.flatMap(({ change }) => Object.entries(change)))
  const named = Object.fromEntries(
    acts
      .flatMap(({ names }) => names)
      .map(name => [name, transaction.raw("(select max(id) from made where kind <> 'offer')")])
  )
  await write.update({ ...changes, ...named, status: last.to, updated_at: new Date(last.at) })
}
