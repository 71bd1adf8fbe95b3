import { closed, invalid, nullable, SurfaceError, Text, Type, type DataOf, type JsonObject } from 'pantry/data'
import { conflict } from '../common/errors.ts'
import { recordAct } from '../people/acts.ts'
import { inTransaction, type Store, type StoreTransaction } from '../common/repository.ts'
import {
  auctionTypes,
  conditions,
  idOf,
  OptionalLicense,
  auctionNotFound,
  transitionOf,
  type AuctionChange,
  type AuctionRow
} from './auction.ts'
import { defaultIncrement, maxAuctionDays, paymentDays } from './bidding.ts'
import { closeOffers } from './due.ts'
import { withIdempotency, keyed, lockBidder } from './locks.ts'
import { currencies, Pence } from './money.ts'
import {
  actorOf,
  hold,
  performWithin,
  requireAct,
  rolesIn,
  withoutKey,
  type Actor,
  type Acted,
  type ActHandler,
  type Keyed,
  type MarketRequest
} from './perform.ts'

const { Optional } = Type
const optionalPence = (description: string) => Optional(nullable(Pence, description))
const optionalTime = (description: string) => Optional(nullable(Type.String({ format: 'date-time' }), description))
const optionalFlag = (description: string) => Optional(Type.Boolean({ description }))

const optional = {
  description: Optional(
    Type.String({ maxLength: 4000, description: 'What a buyer should know: no name, no address.' })
  ),
  reserve_price: optionalPence('Below it nobody wins. It is not shown. Of an English auction.'),
  bid_increment: optionalPence('Step between bids; without it one that fits the starting price.'),
  buy_now_price: optionalPence('What ends an English auction at once.'),
  dutch_end_price: optionalPence('What the price falls to.'),
  dutch_price_drop: optionalPence('What the price falls by.'),
  dutch_drop_interval_seconds: Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 2_592_000 }), 'How often it falls.')
  ),
  currency: Optional(Type.Enum(currencies)),
  allow_best_offer: optionalFlag('Whether offers are taken, which only the seller sees.'),
  is_consignment: optionalFlag('Whether it is sold for somebody else: then an admin approves it first.'),
  starts_at: optionalTime('When it begins; without it, when it is submitted.'),
  ends_at: optionalTime('When it ends.'),
  license: OptionalLicense
}
const offered = {
  sku: Type.String({ minLength: 3, maxLength: 160, description: 'SKU of the card, as the catalogue has it.' }),
  title: Type.String({ minLength: 3, maxLength: 160 }),
  condition: Type.Enum(conditions),
  auction_type: Type.Enum(auctionTypes),
  starting_price: Pence
}

export const ListingRequest = keyed({ ...offered, ...optional })
export type ListingRequest = DataOf<typeof ListingRequest>
export const ListingChange = Type.Partial(ListingRequest)
export const ApprovalRequest = keyed({
  decision: Type.Enum(['approve', 'refuse']),
  notes: Type.Optional(Type.String({ maxLength: 2000, description: 'For the seller alone.' }))
})
export const CancelRequest = keyed({
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Kept with the auction; the parties and admins see it.'
  }),
  remove: Type.Optional(Type.Boolean({ description: 'For admins: nobody finds the listing any longer.' }))
})

type Terms = Pick<
  AuctionRow,
  | 'auction_type'
  | 'starting_price'
  | 'reserve_price'
  | 'bid_increment'
  | 'buy_now_price'
  | 'dutch_end_price'
  | 'dutch_price_drop'
  | 'dutch_drop_interval_seconds'
>

const ofDutch = ['dutch_end_price', 'dutch_price_drop', 'dutch_drop_interval_seconds'] as const
/** Terms that are refused for a type of auction. `termsOf` sets the others that the type does not have. */
const refusedTerms = { english: ofDutch, dutch: ['reserve_price'], buy_now: ['reserve_price', ...ofDutch] } as const

/**
 * Returns the terms that follow from the auction type and the given ones, such as the default step between bids; 400 if
 * the given ones are inconsistent.
 */
function termsOf({ auction_type: type, starting_price: start, ...given }: Terms): AuctionChange {
  const foreign = refusedTerms[type].find(name => given[name] !== null)
  if (foreign !== undefined)
    throw invalid(foreign, 'This is of another type of auction: please leave it empty.', [null])
  if (type === 'buy_now') return { buy_now_price: start, bid_increment: null }
  if (type === 'dutch') {
    const missing = ofDutch.find(name => given[name] === null)
    if (missing !== undefined)
      throw invalid(missing, 'A Dutch auction says what its price falls to, by how much, and how often.')
    if ((given.dutch_end_price ?? 0) >= start)
      throw invalid('dutch_end_price', 'A Dutch price falls: its end is below its start.')
    return { buy_now_price: null, bid_increment: null }
  }
  if (given.reserve_price !== null && given.reserve_price < start)
    throw invalid('reserve_price', 'The reserve is at least the starting price.')
  if (given.buy_now_price !== null && given.buy_now_price < Math.max(start, given.reserve_price ?? 0))
    throw invalid('buy_now_price', 'The buy-now price is at least the starting price and the reserve.')
  return { bid_increment: given.bid_increment ?? defaultIncrement(start) }
}

const Sku = closed({ sku: Text })

async function checkSku({ knex, rows }: StoreTransaction, sku: string): Promise<void> {
  const [card] = await rows(Sku, knex('cards').select('sku').where({ sku }))
  if (card === undefined) throw invalid('sku', 'The catalogue holds no card under this SKU.')
}

const defaults: Terms & Pick<AuctionRow, 'license' | 'currency'> = {
  auction_type: 'english',
  starting_price: 1,
  reserve_price: null,
  bid_increment: null,
  buy_now_price: null,
  dutch_end_price: null,
  dutch_price_drop: null,
  dutch_drop_interval_seconds: null,
  license: 'NOASSERTION',
  currency: 'GBP'
}

const NewListing = closed({ id: Text, created_at: Text })

/** Stores a draft. Does not check that the catalogue has the SKU and that the seller may trade. */
export async function storeListing(
  { knex, rows }: StoreTransaction,
  seller: string,
  body: ListingRequest
): Promise<Acted> {
  const listing = { ...defaults, ...body }
  const [made] = await rows(
    NewListing,
    knex('auctions')
      .insert({ ...listing, ...termsOf(listing), seller })
      .returning(['id', 'created_at'])
  )
  if (made === undefined) throw new Error('No auction was stored.')
  return { auction_id: made.id, act: 'create', status: 'draft', at: made.created_at, amount: null }
}

export async function createListing(store: Store, asker: Actor, body: ListingRequest): Promise<Acted> {
  const retry = { ...asker, body }
  const create = async (transaction: StoreTransaction): Promise<Acted> => {
    await lockBidder(transaction, asker.person)
    await checkSku(transaction, body.sku)
    return await storeListing(transaction, asker.person, body)
  }
  return await inTransaction(
    store,
    async transaction =>
      await withIdempotency<Acted, Acted>(
        transaction,
        [retry],
        async once => await once(retry, async () => await create(transaction))
      )
  )
}

export const editListing: ActHandler<Partial<ListingRequest> & JsonObject> = async ({ store, row, asker, body }) => {
  requireAct(row, asker, 'edit')
  if (body.sku !== undefined) await checkSku(store, body.sku)
  return { act: 'edit', change: { ...body, ...termsOf({ ...row, ...body }) }, noted: {} }
}

export async function draft(store: Store, request: MarketRequest<ListingRequest & Keyed>): Promise<Acted> {
  return await createListing(store, actorOf(request, 'create'), withoutKey<ListingRequest>(request.body))
}

/**
 * Submits a draft. The auction begins at its start time, or at once if that is past or not set; a consignment only
 * after approval.
 */
export const submitListing: ActHandler<JsonObject> = ({ row, now, at, asker }) => {
  requireAct(row, asker, 'submit')
  const start = Math.max(now, Date.parse(row.starts_at ?? at))
  const end = Date.parse(row.ends_at ?? '')
  if (Number.isNaN(end) || end <= start)
    throw invalid(
      'ends_at',
      row.ends_at === null
        ? 'Say in the draft when the auction ends.'
        : 'An auction ends after it begins, in the future.'
    )
  if (end - start > maxAuctionDays * 86_400_000)
    throw invalid('ends_at', `An auction lasts ${maxAuctionDays} days at most.`)
  return {
    act: 'submit',
    noted: {},
    change: {
      submitted_at: at,
      starts_at: new Date(start).toISOString(),
      approval: row.is_consignment ? 'pending' : 'not_needed',
      ...termsOf(row)
    }
  }
}

/** Approves or refuses a consignment. An approved one whose start time has passed begins now. */
export const decideListing: ActHandler<DataOf<typeof ApprovalRequest>> = ({
  row,
  now,
  asker,
  body: { decision, notes }
}) => {
  requireAct(row, asker, decision)
  if (row.approval !== 'pending') throw conflict('It does not wait for approval.', { approval_status: row.approval })
  const start = Math.max(now, Date.parse(row.starts_at ?? ''))
  const change: AuctionChange =
    decision === 'approve'
      ? { approval: 'approved', starts_at: new Date(start).toISOString() }
      : { approval: 'refused', cancelled_by: 'admin', cancel_reason: notes ?? null }
  return { act: decision, noted: {}, change: { ...change, approval_notes: notes ?? null } }
}

/**
 * Cancels an auction. The seller may do so before the first bid, or if the winner did not pay within `paymentDays`; an
 * admin at any time before payment, and may also hide the listing.
 */
export const cancelAuction: ActHandler<DataOf<typeof CancelRequest>> = async ({
  store,
  row,
  now,
  at,
  asker,
  body: { reason, remove = false }
}) => {
  const { who } = requireAct(row, asker, 'cancel')
  if (remove && who !== 'admin') throw invalid('remove', 'Only an admin removes a listing.', [false])
  if (who === 'seller') {
    if (row.status === 'live' && row.bid_count > 0)
      throw conflict('Somebody has bid. Please ask an admin.', { bid_count: row.bid_count })
    if (row.status === 'ended') {
      if (row.winning_bid === null) throw conflict('It is over: nobody won.', { status: row.status })
      const due = Date.parse(row.actual_end_at ?? '') + paymentDays * 86_400_000
      if (now < due)
        throw conflict(`The winner has ${paymentDays} days to pay.`, {
          payment_expires_at: new Date(due).toISOString()
        })
    }
  }
  await closeOffers(store, row.id)
  return {
    act: 'cancel',
    noted: { reason, removed: remove },
    change: {
      cancel_reason: reason,
      cancelled_by: who === 'admin' ? 'admin' : 'seller',
      ...(remove ? { removed_at: at } : {})
    }
  }
}

/**
 * Hides a listing from everyone but its parties and admins, and records the reason. Also cancels an auction that has
 * not ended; a trade that has begun continues. Returns the id; 404 if there is no such auction, 403 for its seller and
 * its winner, and for everyone but admins.
 */
export async function removeListing(store: Store, asker: Actor, id: string, reason: string): Promise<string> {
  return await inTransaction(store, async transaction => {
    const { row } = (await hold(transaction, idOf(id))) ?? {}
    if (row === undefined) throw auctionNotFound(id)
    if (!rolesIn(row, asker).includes('admin'))
      throw new SurfaceError('FORBIDDEN', 'An admin who has a part in a sale does not decide it.', {
        details: { act: 'remove' }
      })
    if (row.removed_at !== null) return id
    if (row.status !== 'ended' && transitionOf(row.status, 'cancel') !== undefined)
      await performWithin(transaction, asker, id, { reason, remove: true }, cancelAuction)
    else {
      const { knex } = transaction
      await knex('auctions').where({ id }).update({ removed_at: knex.fn.now() })
      await recordAct(knex, asker.person, 'auctions.remove', id, { reason })
    }
    return id
  })
}
