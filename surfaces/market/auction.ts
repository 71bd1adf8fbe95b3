import { closed, Count, notFound, nullable, NullableText, Text, Type, type DataOf } from 'pantry/data'
import { isId } from '../common/ids.ts'
import type { Store, StoreTransaction } from '../common/repository.ts'
import { currencies } from './money.ts'

/** The states of an auction. Their order defines the ordinals in structural documents. */
export const states = ['draft', 'scheduled', 'live', 'ended', 'paid', 'cancelled'] as const
export type AuctionState = (typeof states)[number]

/** The decisions of an admin on a dispute: `open` takes it up, the others end it. */
export const disputeOutcomes = ['open', 'for_seller', 'for_buyer', 'split', 'dismissed'] as const
export type DisputeOutcome = (typeof disputeOutcomes)[number]

export const disputeStates = ['reported', ...disputeOutcomes] as const

/**
 * Who performs an act: `bidder` is any member other than seller and winner, `admin` an admin who is neither, `clock`
 * the service, when a transition is due.
 */
export type ActorRole = 'seller' | 'winner' | 'bidder' | 'admin' | 'clock'

/** A permitted act; it may leave the state unchanged. */
type Transition = Readonly<{
  from: AuctionState | null
  act: string
  to: AuctionState
  who: readonly ActorRole[]
  rule: string
}>

const transition = <const A extends string>(
  from: AuctionState | null,
  act: A,
  to: AuctionState,
  who: readonly ActorRole[],
  rule: string
): Transition & Readonly<{ act: A }> => ({ from, act, to, who, rule })

const parties: readonly ActorRole[] = ['seller', 'winner']
const sellerOrAdmin: readonly ActorRole[] = ['seller', 'admin']

/**
 * All permitted transitions. `perform.ts` and `due.ts` check against this table; the database has a copy of its states
 * and acts, except for `create`.
 */
export const transitions = [
  transition(null, 'create', 'draft', ['seller'], 'Anyone who is signed in and not suspended.'),
  transition('draft', 'edit', 'draft', sellerOrAdmin, 'What is offered and how can change until it is submitted.'),
  transition(
    'draft',
    'submit',
    'scheduled',
    sellerOrAdmin,
    'It ends in the future, and at most 30 days after its start.'
  ),
  transition('draft', 'cancel', 'cancelled', sellerOrAdmin, 'At any time.'),
  transition('scheduled', 'approve', 'scheduled', ['admin'], 'A consignment that waits for it.'),
  transition('scheduled', 'refuse', 'cancelled', ['admin'], 'A consignment that waits for approval.'),
  transition('scheduled', 'cancel', 'cancelled', sellerOrAdmin, 'At any time before it begins.'),
  transition('scheduled', 'begin', 'live', ['clock'], 'Its start has come; a consignment was approved.'),
  transition('scheduled', 'lapse', 'cancelled', ['clock'], 'Its end has come, and it was not approved.'),
  transition(
    'live',
    'bid',
    'live',
    ['bidder'],
    'English: at least the minimum next bid. A bid in the last two minutes moves the end by two, at most ten times.'
  ),
  transition(
    'live',
    'buy',
    'ended',
    ['bidder'],
    'At least the price of the moment: the price of a Dutch auction or of a listing to buy now, or the buy-now price of an English one.'
  ),
  transition('live', 'offer', 'live', ['bidder'], 'Where the seller takes offers. Only the seller sees them.'),
  transition(
    'live',
    'accept',
    'ended',
    ['seller'],
    'An open offer of somebody who may still buy, while nobody has bid as much.'
  ),
  transition('live', 'end', 'ended', ['clock'], 'Its end has come. The highest bid wins where it meets the reserve.'),
  transition(
    'live',
    'cancel',
    'cancelled',
    sellerOrAdmin,
    'The seller while there is no bid; an admin at any time, with a reason.'
  ),
  transition('ended', 'address', 'ended', ['winner'], 'Where to send it. Only the seller and admins see it.'),
  transition('ended', 'paid', 'paid', ['admin'], 'It has a winner, and an admin saw that the money has arrived.'),
  transition(
    'ended',
    'cancel',
    'cancelled',
    sellerOrAdmin,
    'The seller when the winner has not paid within seven days; an admin at any time, with a reason.'
  ),
  transition('paid', 'address', 'paid', ['winner'], 'Until it is shipped.'),
  transition('paid', 'shipped', 'paid', sellerOrAdmin, 'Once.'),
  transition('paid', 'received', 'paid', ['winner', 'admin'], 'Once, after it was shipped.'),
  transition('paid', 'review', 'paid', parties, 'Once for each side, after it was received.'),
  transition(
    'paid',
    'dispute',
    'paid',
    parties,
    'Once, until 30 days after it was received. It counts for nothing until an admin takes it up.'
  ),
  transition('paid', 'decide', 'paid', ['admin'], 'A dispute that is not decided yet, with a reason.')
] as const

export type Act = (typeof transitions)[number]['act']

/** The acts that store a bid; the name of the act is the `kind` of the bid. */
export const bidKinds = ['bid', 'buy', 'offer'] as const satisfies readonly Act[]
export type BidKind = (typeof bidKinds)[number]

/**
 * Returns undefined if the state `from` does not permit the act. `from` is null for an auction that does not exist yet.
 */
export const transitionOf = (from: AuctionState | null, act: Act): Transition | undefined =>
  transitions.find(transition => transition.from === from && transition.act === act)

export const actsIn = (from: AuctionState, who: ActorRole): readonly Act[] =>
  transitions.filter(transition => transition.from === from && transition.who.includes(who)).map(({ act }) => act)

export const auctionTypes = ['english', 'dutch', 'buy_now'] as const
export const conditions = ['NM', 'LP', 'MP', 'HP', 'DMG'] as const
/** Licenses of text that a participant writes: none (`NOASSERTION`), unless its author chose one. */
export const licenses = ['NOASSERTION', 'CC0-1.0', 'CC-BY-4.0'] as const
export const OptionalLicense = Type.Optional(
  Type.Enum(licenses, { description: 'What others may do with your words; NOASSERTION unless you choose.' })
)
export const approvals = ['not_needed', 'pending', 'approved', 'refused'] as const

const OptionalPence = nullable(Count)

const offered = {
  id: Text,
  sku: Text,
  title: Text,
  description: Text,
  condition: Type.Enum(conditions),
  auction_type: Type.Enum(auctionTypes),
  status: Type.Enum(states),
  is_consignment: Type.Boolean(),
  approval: Type.Enum(approvals),
  approval_notes: NullableText,
  license: Type.Enum(licenses),
  currency: Type.Enum(currencies),
  starting_price: Count,
  reserve_price: OptionalPence,
  bid_increment: OptionalPence,
  buy_now_price: OptionalPence,
  dutch_end_price: OptionalPence,
  dutch_price_drop: OptionalPence,
  dutch_drop_interval_seconds: OptionalPence,
  allow_best_offer: Type.Boolean(),
  starts_at: NullableText,
  ends_at: NullableText
}
const happened = {
  current_price: OptionalPence,
  winning_price: OptionalPence,
  extensions: Count,
  bid_count: Count,
  leading_bid: OptionalPence,
  winning_bid: OptionalPence,
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
  dispute: nullable(Type.Enum(disputeStates)),
  dispute_by: nullable(Type.Enum(['seller', 'winner'])),
  dispute_statement: NullableText,
  dispute_at: NullableText,
  dispute_reason: NullableText,
  created_at: Text,
  updated_at: Text
}

export const auctionShape = { ...offered, ...happened, seller: NullableText, winner: NullableText } as const
export const AuctionRow = closed(auctionShape)
export type AuctionRow = DataOf<typeof AuctionRow>
export type AuctionChange = Partial<{ -readonly [Name in keyof AuctionRow]: AuctionRow[Name] }>
export const auctionColumns = Object.keys(AuctionRow.properties)

const nilId = '00000000-0000-0000-0000-000000000000'

/** Returns the text if it is an id, else an id that no row has, so that both take the same lookup. */
export const idOf = (text: string): string => (isId(text) ? text : nilId)

/**
 * Creates a 404, whose text is the same whether the auction is unknown, unpublished or removed, or its seller is
 * suspended.
 */
export const auctionNotFound = (id: string) => notFound('auction', id)

const Clock = closed({ at: Text })

/** Returns the time by the clock of the database, in milliseconds since 1970. */
export async function databaseNow({ knex, rows }: Store): Promise<number> {
  const [clock] = await rows(Clock, knex.raw('select clock_timestamp() as at'))
  return Date.parse(clock?.at ?? '')
}

export type WrittenAct = Readonly<{
  from: AuctionState
  act: Act
  to: AuctionState
  who: ActorRole
  at: number
  change: AuctionChange
  bid: Readonly<{ bidder: string; kind: BidKind; amount: number }> | undefined
}>

/**
 * Returns the row as it is after the act. If the act makes a new bid, `leading_bid` and `winning_bid` keep their old
 * values: the id of a bid is only known once it is stored.
 */
export const applyAct = (row: AuctionRow, { change, to, at }: WrittenAct): AuctionRow => ({
  ...row,
  ...change,
  status: to,
  updated_at: new Date(at).toISOString()
})

/**
 * Writes successive acts in one statement, so that the row lock is short. `leading_bid`, and `winning_bid` if an act
 * buys, get the id of the last new bid that is not an offer.
 */
export async function writeActs(
  { knex }: StoreTransaction,
  auction: string,
  acts: readonly WrittenAct[]
): Promise<void> {
  const last = acts.at(-1)
  if (last === undefined) return
  const events = acts.map(({ from, act, to, who, at }) => {
    return { auction, from_state: from, act, to_state: to, who, at: new Date(at) }
  })
  const bids = acts.flatMap(({ bid, at }) =>
    bid === undefined ? [] : [{ ...bid, state: bid.kind === 'offer' ? 'open' : 'placed', auction, at: new Date(at) }]
  )
  const write = knex('auctions').where({ id: auction }).with('told', knex('auction_events').insert(events))
  if (bids.length > 0) void write.with('made', knex('auction_bids').insert(bids).returning(['id', 'kind']))
  const changes = Object.assign({}, ...acts.map(({ change }) => change)) as AuctionChange
  const lastBid = knex.raw("(select max(id) from made where kind <> 'offer')")
  await write.update({
    ...changes,
    ...(bids.some(({ kind }) => kind !== 'offer') ? { leading_bid: lastBid } : {}),
    ...(bids.some(({ kind }) => kind === 'buy') ? { winning_bid: lastBid } : {}),
    status: last.to,
    updated_at: new Date(last.at)
  })
}

/**
 * SQL condition over `auctions as a` for auctions that everyone may see: submitted, not removed, approved if they are
 * consignments, and of no suspended seller.
 */
export const isPublished = `a.status <> 'draft' and a.submitted_at is not null and a.approval in ('not_needed', 'approved') and a.removed_at is null
  and not exists (select from people s where s.id = a.seller and s.suspended_at is not null)`

/**
 * SQL condition over `people as p` for public profiles: the person agreed to publish theirs, under the notice
 * `:notice`, and is not suspended.
 */
export const isPublic = `p.suspended_at is null and exists (select from publication_receipts r where r.person = p.id and r.scope = 'profile' and r.notice_version = :notice and r.withdrawn_at is null)`

/** Who looks at an auction. `person` is undefined for the public. */
export type Viewer = Readonly<{ person: string | undefined; isAdmin: boolean }>

/** Whether the viewer may see an auction even if it is not published: its seller, its winner and admins may. */
export const canSeeUnpublished = (row: AuctionRow, { person, isAdmin }: Viewer): boolean =>
  isAdmin || (person !== undefined && (row.seller === person || row.winner === person))
