import { counted } from 'pantry/data'
import type { DisputeOutcome, disputeStates } from '../auction.ts'
import { formatMoney } from '../money.ts'
import { partsOf, type BaseAuction } from '../views.ts'

export const typeNames = { english: 'English auction', dutch: 'Dutch auction', buy_now: 'Buy now' } as const
export const conditionNames = {
  NM: 'near mint',
  LP: 'lightly played',
  MP: 'moderately played',
  HP: 'heavily played',
  DMG: 'damaged'
} as const

export const licenseNames = {
  NOASSERTION: 'nothing without asking me',
  'CC0-1.0': 'anything (CC0 1.0)',
  'CC-BY-4.0': 'anything, if they name me (CC BY 4.0)'
} as const

/** Says what others may do with the words of a seller or reviewer. */
export const rightsOf = (license: keyof typeof licenseNames): string =>
  license === 'NOASSERTION' ? 'all kept by the author (NOASSERTION)' : license

export const outcomeNames = {
  open: 'take it up',
  for_seller: 'for the seller',
  for_buyer: 'for the buyer',
  split: 'between both',
  dismissed: 'dismiss it'
} as const satisfies Record<DisputeOutcome, string>
export const disputeNames = {
  reported: 'not taken up yet',
  open: 'taken up',
  for_seller: 'decided for the seller',
  for_buyer: 'decided for the buyer',
  split: 'decided between both',
  dismissed: 'dismissed'
} as const satisfies Record<(typeof disputeStates)[number], string>

const inWords = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC'
})

/** Formats a time with its date: `27 November 2026 at 22:18 UTC`. */
export const formatDateTime = (iso8601: string): string => `${inWords.format(new Date(iso8601))} UTC`

export const formatSecond = (iso8601: string): string => `${iso8601.slice(0, 10)} ${iso8601.slice(11, 19)} UTC`

/** Formats a number of seconds in words: the largest unit that is not 0, and the next smaller one unless it is 0. */
export function formatDuration(seconds: number): string {
  const parts = Object.entries(partsOf(seconds))
  const first = parts.findIndex(([, count]) => count > 0)
  return first === -1
    ? 'no time'
    : parts
        .slice(first, first + 2)
        .filter(([, count]) => count > 0)
        .map(([unit, count]) => counted(count, unit.slice(0, -1)))
        .join(' and ')
}

export const formatTimeBetween = (from: string, to: string): string =>
  formatDuration(Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000)))

export function standing(auction: BaseAuction): string {
  const {
    status,
    starts_at: starts,
    ends_at: ends,
    server_time: now,
    is_sold: isSold,
    current_price: price,
    bid_count: bids,
    actual_end_at: ended
  } = auction
  const amount = formatMoney(price)
  switch (status) {
    case 'draft':
      return 'It is a draft: its seller and admins alone see it.'
    case 'scheduled':
      return starts === null
        ? 'It has not begun.'
        : `It begins in ${formatTimeBetween(now, starts)}, at ${formatSecond(starts)}.`
    case 'live': {
      const highest =
        bids === 0
          ? `Nobody has bid; it begins at ${amount}.`
          : `The highest of ${counted(bids, 'bid')} is ${amount}${auction.bids[0]?.is_own === true ? ', and is yours' : ''}.`
      const what = auction.auction_type === 'english' ? highest : `It costs ${amount} now.`
      return ends === null ? what : `${what} It ends in ${formatTimeBetween(now, ends)}, at ${formatSecond(ends)}.`
    }
    case 'ended':
      return `It ended at ${formatSecond(ended ?? now)}${isSold ? `, for ${amount}.` : ' without a buyer.'}`
    case 'paid':
      return `It ended at ${formatSecond(ended ?? now)}, for ${amount}, and was paid.`
    case 'cancelled':
      return 'It was cancelled.'
  }
}

export function whatWillHappen(auction: BaseAuction): readonly string[] {
  const { auction_type: type, min_next_bid: least, buy_now_price: buy, next_drop_at: drops } = auction
  const bound = 'It cannot be taken back. You pay the seller directly: the service holds no money and takes none.'
  if (type === 'dutch')
    return [
      `You buy it at the price of the moment it arrives, at most for what you write.${drops === null ? '' : ` The price falls next at ${formatSecond(drops)}.`}`,
      bound
    ]
  if (type === 'buy_now') return [`You buy it at once, for ${buy === null ? 'its price' : formatMoney(buy)}.`, bound]
  return [
    `A bid counts from ${least === null ? 'the minimum' : formatMoney(least)} on. If nobody bids more before the end, you buy it for what you bid.`,
    ...(buy === null ? [] : [`A bid of ${formatMoney(buy)} or more buys it at once, for ${formatMoney(buy)}.`]),
    ...(auction.reserve_met === false ? ['The reserve is not met yet: below it nobody wins.'] : []),
    'In the last two minutes a bid moves the end by two minutes, at most ten times.',
    bound
  ]
}
