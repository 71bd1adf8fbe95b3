import type { AuctionRow } from './row.ts'
import { dutchPrice, minimumNextBid, nextDrop, type DutchTerms } from './rules.ts'

type Terms = Pick<
  AuctionRow,
  | 'auction_type'
  | 'starting_price'
  | 'bid_increment'
  | 'buy_now_price'
  | 'current_price'
  | 'dutch_end_price'
  | 'dutch_price_drop'
  | 'dutch_drop_interval_seconds'
  | 'starts_at'
  | 'winning_price'
>

/** Returns the price terms of a Dutch auction; null for other types. */
function dutchTerms({
  auction_type: type,
  starting_price: start,
  dutch_end_price: end,
  dutch_price_drop: drop,
  dutch_drop_interval_seconds: intervalSeconds,
  starts_at: startsAt
}: Terms): DutchTerms | null {
  if (type !== 'dutch' || end === null || drop === null || intervalSeconds === null || startsAt === null) return null
  return { start, end, drop, intervalSeconds, startsAt: Date.parse(startsAt) }
}

/** Returns the price that buys the auction at once at a moment; null if it has none. */
export function buyPrice(row: Terms, now: number): number | null {
  const terms = dutchTerms(row)
  return terms === null ? row.buy_now_price : dutchPrice(terms, now)
}

/** Returns the minimum bid at a moment. */
export function leastBid(row: Terms, now: number): number {
  if (row.auction_type !== 'english') return buyPrice(row, now) ?? row.starting_price
  return minimumNextBid({
    startingPrice: row.starting_price,
    increment: row.bid_increment ?? 0,
    currentPrice: row.current_price,
    buyNowPrice: row.buy_now_price
  })
}

/** Returns the displayed price: the winning price, the highest bid, or the starting price. */
export const shownPrice = (row: Terms, now: number): number =>
  row.winning_price ?? row.current_price ?? (row.auction_type === 'dutch' ? leastBid(row, now) : row.starting_price)

/** Returns when the price next changes by itself; null if it does not. */
export function nextChange(row: Terms, now: number): string | null {
  const terms = dutchTerms(row)
  const at = terms === null ? null : nextDrop(terms, now)
  return at === null ? null : new Date(at).toISOString()
}
