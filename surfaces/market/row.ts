import { closed, Count, notFound, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { isId } from '../ids.ts'
import { currencies } from './money.ts'
import { disputeStates, states, type State } from './states.ts'

export const auctionTypes = ['english', 'dutch', 'buy_now'] as const
export const conditions = ['NM', 'LP', 'MP', 'HP', 'DMG'] as const
/** Licenses of text that a participant writes: none (`NOASSERTION`), unless its author chose one. */
export const licenses = ['NOASSERTION', 'CC0-1.0', 'CC-BY-4.0'] as const
export const approvals = ['not_needed', 'pending', 'approved', 'refused'] as const

const MaybePence = nullable(Count)

/** Columns that describe an auction and its state; those of `happened` record how it went on. */
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

/** The columns of an auction, with their schemas. */
export const auctionShape = { ...offered, ...happened, seller: NullableText, winner: NullableText } as const
export const AuctionRow = closed(auctionShape)
export type AuctionRow = DataOf<typeof AuctionRow>
export type AuctionChange = Partial<{ -readonly [Name in keyof AuctionRow]: AuctionRow[Name] }>
export const auctionColumns = Object.keys(AuctionRow.properties)

/** The database as the market uses it: only the primary. */
export type Store = Pick<Database, 'knex' | 'rows'>

const noId = '00000000-0000-0000-0000-000000000000'

/** Returns the text if it is an id, else an id that no row has, so that both take the same lookup. */
export const idOf = (text: string): string => (isId(text) ? text : noId)

/** 404, with the same text whether the auction is unknown, unpublished, removed, or its seller is suspended. */
export const noAuction = (id: string) => notFound('auction', id)

/** Returns the clock of the database, in milliseconds. */
export async function clockOf({ rows }: Pick<Store, 'rows'>, knex: Knex): Promise<number> {
  const [clock] = await rows(closed({ at: Text }), knex.raw('select clock_timestamp() as at'))
  return Date.parse(clock?.at ?? '')
}

/** A bid, a purchase or an offer, to be stored together with the change of the auction. */
export type NewBid = Readonly<{
  bidder: string
  kind: 'bid' | 'buy' | 'offer'
  amount: number
  state: 'placed' | 'open'
}>
/** Columns of an auction that refer to the bid that is stored with the change. */
export type NamesBid = 'leading_bid' | 'winning_bid'

/** The changes of one act: the event, the changed columns, the new bid, and the columns that refer to that bid. */
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

/** Returns the auction after an act. Columns that refer to the new bid are only known after the act is written. */
export const after = (row: AuctionRow, { change, to, at }: Written): AuctionRow => ({
  ...row,
  ...change,
  status: to,
  updated_at: new Date(at).toISOString()
})

/**
 * Writes successive acts in one statement, so that the row lock is short. Columns that refer to a bid get the last one
 * that is not an offer.
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
