import { closed, Count, invalid, nullable, SurfaceError, Text, Type, type DataOf } from 'pantry/data'
import { conflict } from '../common/errors.ts'
import type { StoreTransaction } from '../common/repository.ts'
import type { AuctionRow } from './auction.ts'
import { closeOffers } from './due.ts'
import { checkLimits, keyed } from './locks.ts'
import { currencies, Pence, formatMoney } from './money.ts'
import { binding, requireAct, type ActContext } from './perform.ts'
import { limitOver } from './trust.ts'

/** A bid in the last two minutes (`extensionMs`) moves the end by two minutes, at most ten times. */
export const extensionMs = 120_000
export const maxExtensions = 10

/**
 * Maximum duration of an auction, time for the winner to pay, and time after receipt in which a dispute can be opened,
 * in days.
 */
export const maxAuctionDays = 30
export const paymentDays = 7
export const disputeDays = 30

/**
 * Default steps between bids, in pence. The first number of a pair is the starting price below which the second, the
 * step, is used.
 */
const steps = [
  [1000, 50],
  [5000, 100],
  [20_000, 500],
  [100_000, 1000]
] as const

export const defaultIncrement = (startingPrice: number): number =>
  steps.find(([below]) => startingPrice < below)?.[1] ?? 5000

/** Returns the minimum of the next bid in an English auction, which is never more than the buy-now price. */
export function minimumNextBid({
  startingPrice,
  increment,
  currentPrice,
  buyNowPrice
}: Readonly<{
  startingPrice: number
  increment: number
  currentPrice: number | null
  buyNowPrice: number | null
}>): number {
  const least = currentPrice === null ? startingPrice : currentPrice + increment
  return buyNowPrice === null ? least : Math.min(least, buyNowPrice)
}

type DutchTerms = Readonly<{ start: number; end: number; drop: number; intervalSeconds: number; startsAt: number }>

/**
 * Returns the price of a Dutch auction at `now`, in milliseconds: it falls by `drop` after each interval, down to
 * `end`.
 */
export function dutchPrice({ start, end, drop, intervalSeconds, startsAt }: DutchTerms, now: number): number {
  const drops = Math.floor(Math.max(0, now - startsAt) / (intervalSeconds * 1000))
  return Math.max(start - drops * drop, end)
}

/** Returns when the price of a Dutch auction falls next, in milliseconds; null once it has reached its end. */
export function nextDrop(terms: DutchTerms, now: number): number | null {
  if (dutchPrice(terms, now) === terms.end) return null
  const interval = terms.intervalSeconds * 1000
  return terms.startsAt + (Math.floor(Math.max(0, now - terms.startsAt) / interval) + 1) * interval
}

export function extendEnd(
  endsAt: number,
  now: number,
  extensions: number
): Readonly<{ endsAt: number; extensions: number }> {
  const isLate = now < endsAt && endsAt - now <= extensionMs
  return isLate && extensions < maxExtensions
    ? { endsAt: endsAt + extensionMs, extensions: extensions + 1 }
    : { endsAt, extensions }
}

function dutchTerms({
  auction_type: type,
  starting_price: start,
  dutch_end_price: end,
  dutch_price_drop: drop,
  dutch_drop_interval_seconds: intervalSeconds,
  starts_at: startsAt
}: AuctionRow): DutchTerms | null {
  if (type !== 'dutch' || end === null || drop === null || intervalSeconds === null || startsAt === null) return null
  return { start, end, drop, intervalSeconds, startsAt: Date.parse(startsAt) }
}

function buyPrice(row: AuctionRow, now: number): number | null {
  const terms = dutchTerms(row)
  return terms === null ? row.buy_now_price : dutchPrice(terms, now)
}

export function minimumBid(row: AuctionRow, now: number): number {
  if (row.auction_type !== 'english') return buyPrice(row, now) ?? row.starting_price
  return minimumNextBid({
    startingPrice: row.starting_price,
    increment: row.bid_increment ?? 0,
    currentPrice: row.current_price,
    buyNowPrice: row.buy_now_price
  })
}

/**
 * Returns the displayed price: the winning price, else the highest bid, else the price at `now` of a Dutch auction or
 * the starting price of another.
 */
export const shownPrice = (row: AuctionRow, now: number): number =>
  row.winning_price ?? row.current_price ?? (row.auction_type === 'dutch' ? minimumBid(row, now) : row.starting_price)

/**
 * Returns when the price of a Dutch auction falls next, in ISO 8601; null for another auction, and once the price has
 * reached its end.
 */
export function nextChange(row: AuctionRow, now: number): string | null {
  const terms = dutchTerms(row)
  const at = terms === null ? null : nextDrop(terms, now)
  return at === null ? null : new Date(at).toISOString()
}

const currency = Type.Optional(Type.Enum(currencies, { description: 'The one currency of the market.' }))

/** A bid. If it buys, the buyer pays the price, and `amount` is only the most that this may be. */
export const BidRequest = keyed({ amount: Pence, currency })
export type BidRequest = DataOf<typeof BidRequest>
export const OfferRequest = BidRequest
export const AcceptRequest = keyed({
  offer: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Number of the offer, as the seller sees it.'
  })
})

function checkOpen({ row, asker }: ActContext<BidRequest>, act: 'bid' | 'offer'): void {
  if (row.seller === asker.person)
    throw new SurfaceError('FORBIDDEN', 'Nobody bids for what they sell.', { details: { act } })
  requireAct(row, asker, act)
}

/**
 * Bids in an English auction, or buys: a Dutch auction at its current price, a listing at its price, an English auction
 * at its buy-now price. 409 if the amount is below the current minimum; `details` has that minimum and its time.
 */
export const placeBid = binding<BidRequest>(
  ({ asker }) => asker.person,
  async context => {
    const { store, row, now, at, asker, standing, body } = context
    checkOpen(context, 'bid')
    const [least, price] = [minimumBid(row, now), buyPrice(row, now)]
    if (body.amount < least)
      throw conflict(`The least that counts now is ${formatMoney({ pence: least, currency: row.currency })}.`, {
        field: 'amount',
        min_next_bid: least,
        currency: row.currency,
        at
      })
    const buys = price !== null && body.amount >= price
    const amount = buys ? price : body.amount
    checkLimits(standing, row, amount)
    const change = { bid_count: row.bid_count + 1, current_price: amount }
    if (buys) {
      await closeOffers(store, row.id)
      const end = { winning_price: amount, winner: asker.person, actual_end_at: at }
      return { act: 'buy', amount, change: { ...change, ...end } }
    }
    const { endsAt, extensions } = extendEnd(Date.parse(row.ends_at ?? ''), now, row.extensions)
    return { act: 'bid', amount, change: { ...change, ends_at: new Date(endsAt).toISOString(), extensions } }
  }
)

/** Makes an offer, which replaces an open one of the same person. */
export const makeOffer = binding<BidRequest>(
  ({ asker }) => asker.person,
  async context => {
    const {
      store,
      row,
      now,
      asker,
      standing,
      body: { amount }
    } = context
    checkOpen(context, 'offer')
    if (!row.allow_best_offer) throw conflict('The seller takes no offers for it.', { allow_best_offer: false })
    const price = buyPrice(row, now)
    if (price !== null && amount >= price)
      throw invalid(
        'amount',
        `For ${formatMoney({ pence: price, currency: row.currency })} it can be bought now: please bid that.`
      )
    checkLimits(standing, row, amount)
    await store
      .knex('auction_bids')
      .where({ auction: row.id, bidder: asker.person, state: 'open' })
      .update({ state: 'closed' })
    return { act: 'offer', amount, change: {} }
  }
)

const Offer = closed({ id: Count, amount: Count, bidder: nullable(Text) })

async function openOffer({ knex, rows }: StoreTransaction, auction: string, id: number) {
  const query = knex('auction_bids').select('id', 'amount', 'bidder').where({ auction, id, state: 'open' })
  return (await rows(Offer, query))[0]
}

/**
 * Accepts an offer, which ends the auction. 409 if the offer is no longer open, a bid has reached it, or its author may
 * not trade now or not for so much.
 */
export const acceptOffer = binding<DataOf<typeof AcceptRequest>>(
  async ({ store, id, body: { offer } }) => (await openOffer(store, id, offer))?.bidder ?? undefined,
  async ({ store, row, at, asker, standing, body }) => {
    requireAct(row, asker, 'accept')
    const offer = await openOffer(store, row.id, body.offer)
    if (offer === undefined || offer.bidder === null) throw conflict('There is no such open offer.', { field: 'offer' })
    const { id, amount, bidder } = offer
    if (row.current_price !== null && amount <= row.current_price)
      throw conflict('Somebody has bid as much.', { field: 'offer', current_price: row.current_price })
    if (standing === undefined || limitOver(standing.tier, amount, standing.begun) !== undefined)
      throw conflict('Whoever made the offer cannot keep it now.', { field: 'offer' })
    await store.knex('auction_bids').where({ id }).update({ state: 'accepted' })
    await closeOffers(store, row.id)
    const change = { winning_bid: id, winning_price: amount, winner: bidder, actual_end_at: at }
    return { act: 'accept', amount, change }
  }
)
