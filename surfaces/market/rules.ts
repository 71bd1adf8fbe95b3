/** A bid in the last two minutes moves the end by two minutes, at most ten times. */
export const extensionMs = 120_000
export const mostExtensions = 10

/**
 * How long an auction may last, how long a winner may take to pay, and how long a dispute can be begun after receipt.
 */
export const longestDays = 30
export const paymentDays = 7
export const disputeDays = 30

/** Steps between bids where the seller names none, by the starting price: up to so many pence, so many pence. */
const steps = [
  [1000, 50],
  [5000, 100],
  [20_000, 500],
  [100_000, 1000]
] as const

/** The step between bids that a starting price suggests. */
export const defaultIncrement = (startingPrice: number): number =>
  steps.find(([below]) => startingPrice < below)?.[1] ?? 5000

type Bidding = Readonly<{
  startingPrice: number
  increment: number
  currentPrice: number | null
  buyNowPrice: number | null
}>

/**
 * The least that the next bid of an English auction may be. It never asks for more than what ends the auction at once.
 */
export function minimumNextBid({ startingPrice, increment, currentPrice, buyNowPrice }: Bidding): number {
  const least = currentPrice === null ? startingPrice : currentPrice + increment
  return buyNowPrice === null ? least : Math.min(least, buyNowPrice)
}

/** What the price of a Dutch auction follows from. */
export type DutchTerms = Readonly<{
  start: number
  end: number
  drop: number
  intervalSeconds: number
  startsAt: number
}>

/** The price of a Dutch auction at a moment: of the clock alone. */
export function dutchPrice({ start, end, drop, intervalSeconds, startsAt }: DutchTerms, now: number): number {
  const drops = Math.floor(Math.max(0, now - startsAt) / (intervalSeconds * 1000))
  return Math.max(start - drops * drop, end)
}

/** When the price of a Dutch auction drops next; null where it has reached its end. */
export function nextDrop(terms: DutchTerms, now: number): number | null {
  if (dutchPrice(terms, now) === terms.end) return null
  const interval = terms.intervalSeconds * 1000
  return terms.startsAt + (Math.floor(Math.max(0, now - terms.startsAt) / interval) + 1) * interval
}

/** The end of an English auction after a bid at `now`, and how often it was moved. */
export function extended(
  endsAt: number,
  now: number,
  extensions: number
): Readonly<{ endsAt: number; extensions: number }> {
  const isLate = now < endsAt && endsAt - now <= extensionMs
  return isLate && extensions < mostExtensions
    ? { endsAt: endsAt + extensionMs, extensions: extensions + 1 }
    : { endsAt, extensions }
}
