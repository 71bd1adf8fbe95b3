import { closed, Count, Moment, nullable, Path, Text, Type, type DataOf } from 'pantry/data'
import { Stated } from './money.ts'
import { auctionTypes, conditions, licenses } from './row.ts'
import { states } from './states.ts'
import type { TrustShown } from './trust-of.ts'
import { tierNames } from './tiers.ts'
import { Amount, PublicBid, When, type PublicAuction } from './views.ts'

/** The schema of the public projection in blocks: the listing, its prices, its times and its outcome. */
export const AuctionBlocks = closed({
  meta: closed({
    id: Text,
    title: Text,
    description: Text,
    sku: Text,
    condition: Type.Enum([...conditions]),
    auction_type: Type.Enum([...auctionTypes]),
    status: Type.Enum([...states]),
    is_consignment: Type.Boolean(),
    license: Type.Enum([...licenses]),
    created_at: Moment,
    updated_at: Moment
  }),
  pricing: closed({
    starting_price: Stated,
    current_price: Stated,
    bid_increment: Amount,
    buy_now_price: Amount,
    min_next_bid: Amount,
    dutch_computed_price: Amount,
    dutch: nullable(
      closed({
        start_price: Stated,
        end_price: Stated,
        drop_amount: Stated,
        drop_interval_seconds: Count,
        next_drop_at: When
      })
    ),
    allow_best_offer: Type.Boolean()
  }),
  timing: closed({
    starts_at: When,
    ends_at: When,
    actual_end_at: When,
    extensions: Count,
    server_time: Moment,
    time_remaining_ms: nullable(Count, 'Until it ends, at `server_time`; null unless it is live.'),
    time_remaining: nullable(closed({ days: Count, hours: Count, minutes: Count, seconds: Count })),
    has_started: Type.Boolean(),
    has_ended: Type.Boolean()
  }),
  reserve: closed({ reserve_met: nullable(Type.Boolean(), 'Null without a reserve.') }),
  bids: closed({ recent: Type.Array(PublicBid, { description: 'The last 50, the newest first.' }), bid_count: Count }),
  winner: nullable(
    closed({ winning_bid: Stated, paid: Type.Boolean() }),
    'That somebody won, and for how much; never who.'
  ),
  seller: nullable(
    closed({
      username: Text,
      display_name: Text,
      trust_tier: Type.Enum(tierNames),
      trust_score: Count,
      is_consignment: Type.Boolean(),
      trust: Path
    }),
    'Null unless the seller agreed that their profile is public.'
  )
})
export type AuctionBlocks = DataOf<typeof AuctionBlocks>

function remainingOf(milliseconds: number) {
  const seconds = Math.floor(milliseconds / 1000)
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60
  }
}

export function blocksOf(auction: PublicAuction, trust: TrustShown | undefined): AuctionBlocks {
  const {
    id,
    title,
    description,
    sku,
    condition,
    auction_type,
    status,
    is_consignment,
    license,
    created_at,
    updated_at,
    starting_price,
    current_price,
    bid_increment,
    buy_now_price,
    min_next_bid,
    dutch_start_price: start,
    dutch_end_price: end,
    dutch_price_drop: drop,
    dutch_drop_interval_seconds: interval,
    computed_price: computed,
    next_drop_at,
    allow_best_offer,
    starts_at,
    ends_at,
    actual_end_at,
    extensions,
    server_time,
    reserve_met,
    bids,
    bid_count,
    is_sold,
    seller
  } = auction
  const left = status === 'live' && ends_at !== null ? Math.max(0, Date.parse(ends_at) - Date.parse(server_time)) : null
  return {
    meta: {
      id,
      title,
      description,
      sku,
      condition,
      auction_type,
      status,
      is_consignment,
      license,
      created_at,
      updated_at
    },
    pricing: {
      starting_price,
      current_price,
      bid_increment,
      buy_now_price,
      min_next_bid,
      dutch_computed_price: computed,
      dutch:
        start === null || end === null || drop === null || interval === null
          ? null
          : { start_price: start, end_price: end, drop_amount: drop, drop_interval_seconds: interval, next_drop_at },
      allow_best_offer
    },
    timing: {
      starts_at,
      ends_at,
      actual_end_at,
      extensions,
      server_time,
      time_remaining_ms: left,
      time_remaining: left === null ? null : remainingOf(left),
      has_started: starts_at !== null && starts_at <= server_time,
      has_ended: status === 'ended' || status === 'paid' || status === 'cancelled'
    },
    reserve: { reserve_met },
    bids: { recent: bids, bid_count },
    winner: is_sold ? { winning_bid: current_price, paid: status === 'paid' } : null,
    seller:
      seller === null || trust === undefined
        ? null
        : {
            username: seller.username,
            display_name: trust.display_name,
            trust_tier: trust.tier.name,
            trust_score: trust.trust_score,
            is_consignment,
            trust: seller.trust
          }
  }
}
