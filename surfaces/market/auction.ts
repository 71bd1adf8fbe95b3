import { closed, Count, notFound, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { isId } from '../ids.ts'
import { currencies } from './money.ts'

/** The states of an auction. Their order defines the ordinals in structural documents. */
export const states = ['draft', 'scheduled', 'live', 'ended', 'paid', 'cancelled'] as const
export type State = (typeof states)[number]

/** The decisions of an admin on a dispute: `open` takes it up, the others end it. */
export const disputeOutcomes = ['open', 'for_seller', 'for_buyer', 'split', 'dismissed'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

/** The states of a dispute. */
export const disputeStates = ['reported', ...disputeOutcomes] as const

/**
 * Who performs an act: `bidder` is any member other than seller and winner, `admin` an admin who is neither, `clock` a
 * transition that became due.
 */
export type Who = 'seller' | 'winner' | 'bidder' | 'admin' | 'clock'

/** One permitted act in a state; it may leave the state unchanged. */
export type Transition = Readonly<{ from: State | null; act: string; to: State; who: readonly Who[]; rule: string }>

const trade: readonly Who[] = ['seller', 'winner']

/**
 * All permitted transitions. Code checks against this table, the database has a copy of it, and pages, documents and
 * tests are derived from it.
 */
export const transitions = [
  { from: null, act: 'create', to: 'draft', who: ['seller'], rule: 'Anyone who is signed in and not suspended.' },
  {
    from: 'draft',
    act: 'edit',
    to: 'draft',
    who: ['seller', 'admin'],
    rule: 'What is offered and how can change until it is submitted.'
  },
  {
    from: 'draft',
    act: 'submit',
    to: 'scheduled',
    who: ['seller', 'admin'],
    rule: 'It ends in the future, and at most 30 days after its start.'
  },
  { from: 'draft', act: 'cancel', to: 'cancelled', who: ['seller', 'admin'], rule: 'At any time.' },
  { from: 'scheduled', act: 'approve', to: 'scheduled', who: ['admin'], rule: 'A consignment that waits for it.' },
  { from: 'scheduled', act: 'refuse', to: 'cancelled', who: ['admin'], rule: 'A consignment that waits for approval.' },
  {
    from: 'scheduled',
    act: 'cancel',
    to: 'cancelled',
    who: ['seller', 'admin'],
    rule: 'At any time before it begins.'
  },
  {
    from: 'scheduled',
    act: 'begin',
    to: 'live',
    who: ['clock'],
    rule: 'Its start has come; a consignment was approved.'
  },
  {
    from: 'scheduled',
    act: 'lapse',
    to: 'cancelled',
    who: ['clock'],
    rule: 'Its end has come, and it was not approved.'
  },
  {
    from: 'live',
    act: 'bid',
    to: 'live',
    who: ['bidder'],
    rule: 'English: at least the minimum next bid. A bid in the last two minutes moves the end by two, at most ten times.'
  },
  {
    from: 'live',
    act: 'buy',
    to: 'ended',
    who: ['bidder'],
    rule: 'At least the price of the moment: the price of a Dutch auction or of a listing to buy now, or the buy-now price of an English one.'
  },
  {
    from: 'live',
    act: 'offer',
    to: 'live',
    who: ['bidder'],
    rule: 'Where the seller takes offers. Only the seller sees them.'
  },
  {
    from: 'live',
    act: 'accept',
    to: 'ended',
    who: ['seller'],
    rule: 'An open offer of somebody who may still buy, while nobody has bid as much.'
  },
  {
    from: 'live',
    act: 'end',
    to: 'ended',
    who: ['clock'],
    rule: 'Its end has come. The highest bid wins where it meets the reserve.'
  },
  {
    from: 'live',
    act: 'cancel',
    to: 'cancelled',
    who: ['seller', 'admin'],
    rule: 'The seller while there is no bid; an admin at any time, with a reason.'
  },
  {
    from: 'ended',
    act: 'address',
    to: 'ended',
    who: ['winner'],
    rule: 'Where to send it. Only the seller and admins see it.'
  },
  {
    from: 'ended',
    act: 'paid',
    to: 'paid',
    who: ['admin'],
    rule: 'It has a winner, and an admin saw that the money has arrived.'
  },
  {
    from: 'ended',
    act: 'cancel',
    to: 'cancelled',
    who: ['seller', 'admin'],
    rule: 'The seller when the winner has not paid within seven days; an admin at any time, with a reason.'
  },
  { from: 'paid', act: 'address', to: 'paid', who: ['winner'], rule: 'Until it is shipped.' },
  { from: 'paid', act: 'shipped', to: 'paid', who: ['seller', 'admin'], rule: 'Once.' },
  { from: 'paid', act: 'received', to: 'paid', who: ['winner', 'admin'], rule: 'Once, after it was shipped.' },
  { from: 'paid', act: 'review', to: 'paid', who: trade, rule: 'Once for each side, after it was received.' },
  {
    from: 'paid',
    act: 'dispute',
    to: 'paid',
    who: trade,
    rule: 'Once, until 30 days after it was received. It counts for nothing until an admin takes it up.'
  },
  { from: 'paid', act: 'decide', to: 'paid', who: ['admin'], rule: 'A dispute that is not decided yet, with a reason.' }
] as const satisfies readonly Transition[]

export type Act = (typeof transitions)[number]['act']

/** Returns the transition of an act from a state; undefined if there is none. */
export const transitionOf = (from: State | null, act: Act): Transition | undefined =>
  transitions.find(one => one.from === from && one.act === act)

/** Returns the acts that a role may perform in a state. */
export const actsIn = (from: State, who: Who): readonly Act[] =>
  transitions.filter(one => one.from === from && (one.who as readonly Who[]).includes(who)).map(({ act }) => act)

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

/**
 * SQL condition over `auctions as a` for auctions that everyone may see: submitted, own stock or approved, not removed,
 * and the seller is not suspended.
 */
export const isPublished = `a.status <> 'draft' and a.submitted_at is not null and a.approval in ('not_needed', 'approved') and a.removed_at is null
  and not exists (select from people s where s.id = a.seller and s.suspended_at is not null)`

/**
 * SQL condition over `people as p` for public profiles: the person agreed to the current notice (`:notice`) and is not
 * suspended.
 */
export const isPublic = `p.suspended_at is null and exists (select from publication_receipts r where r.person = p.id and r.scope = 'profile' and r.notice_version = :notice and r.withdrawn_at is null)`

type Asks = Readonly<{ person: string | undefined; isAdmin: boolean }>

/** Whether a person may see an auction even if it is not published: its seller, its winner and admins may. */
export const isTheirs = (row: Pick<AuctionRow, 'seller' | 'winner'>, { person, isAdmin }: Asks): boolean =>
  isAdmin || (person !== undefined && (row.seller === person || row.winner === person))
