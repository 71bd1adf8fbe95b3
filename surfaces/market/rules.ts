/** A bid in the last two minutes (`extensionMs`) moves the end by two minutes, at most ten times. */
export const extensionMs = 120_000
export const mostExtensions = 10

/**
 * Maximum duration of an auction, time for the winner to pay, and time after receipt in which a dispute can be opened,
 * in days.
 */
export const longestDays = 30
export const paymentDays = 7
export const disputeDays = 30

/** Default steps between bids: pairs of an upper bound of the starting price and the step, in pence. */
const steps = [
  [1000, 50],
  [5000, 100],
  [20_000, 500],
  [100_000, 1000]
] as const

/** Returns the default step between bids for a starting price. */
export const defaultIncrement = (startingPrice: number): number =>
  steps.find(([below]) => startingPrice < below)?.[1] ?? 5000

type Bidding = Readonly<{
  startingPrice: number
  increment: number
  currentPrice: number | null
  buyNowPrice: number | null
}>

/** Returns the minimum of the next bid in an English auction, which is never more than the buy-now price. */
export function minimumNextBid({ startingPrice, increment, currentPrice, buyNowPrice }: Bidding): number {
  const least = currentPrice === null ? startingPrice : currentPrice + increment
  return buyNowPrice === null ? least : Math.min(least, buyNowPrice)
}

/** The terms that determine the price of a Dutch auction. */
export type DutchTerms = Readonly<{
  start: number
  end: number
  drop: number
  intervalSeconds: number
  startsAt: number
}>

/** Returns the price of a Dutch auction at a moment, which depends only on the clock. */
export function dutchPrice({ start, end, drop, intervalSeconds, startsAt }: DutchTerms, now: number): number {
  const drops = Math.floor(Math.max(0, now - startsAt) / (intervalSeconds * 1000))
  return Math.max(start - drops * drop, end)
}

/** Returns when the price of a Dutch auction drops next; null if it has reached its end. */
export function nextDrop(terms: DutchTerms, now: number): number | null {
  if (dutchPrice(terms, now) === terms.end) return null
  const interval = terms.intervalSeconds * 1000
  return terms.startsAt + (Math.floor(Math.max(0, now - terms.startsAt) / interval) + 1) * interval
}

/** Returns the end of an English auction after a bid at `now`, and how often the end was moved. */
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
