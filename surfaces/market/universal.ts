import {
  closed,
  Count,
  mirrorDocument,
  mirrorSchema,
  mirrorTime,
  MirrorTime,
  nullable,
  Text,
  Type,
  type JsonObject,
  type MirrorText,
  type PathTo
} from 'pantry/data'
import { linksOf, rights, seedOf } from '../cards/documents/parts.ts'
import { structure } from '../cards/documents/schemas.ts'
import { auctionTypes, states } from './auction.ts'
import { tierNames, type TrustShown } from './trust.ts'
import type { PublicAuction } from './views.ts'

const Ordinal = closed({ natural_token: Text, ordinal: Count, ordinals: Count })
const Ratio = nullable(Type.Number({ minimum: 0 }))
const Time = nullable(MirrorTime)

/**
 * An auction as ratios to its starting price, ordinals, counts and times: no amounts of money, people or trust scores.
 */
export const AuctionDocument = mirrorSchema('auction_state', {
  ...structure,
  auction: Text,
  auction_type: Ordinal,
  bid_count: Count,
  extensions: Count,
  is_sold: Type.Boolean(),
  pricing: closed({
    current_to_starting_ratio: Ratio,
    min_next_bid_to_starting_ratio: Ratio,
    bid_increment_to_starting_ratio: Ratio,
    buy_now_to_starting_ratio: Ratio,
    dutch_end_to_starting_ratio: Ratio,
    dutch_drop_to_starting_ratio: Ratio
  }),
  reserve_met: nullable(Type.Boolean()),
  sku: Text,
  status: Ordinal,
  timing: closed({ starts_at: Time, ends_at: Time, actual_end_at: Time, created_at: MirrorTime })
})

const ordinalOf = (names: readonly string[], name: string): JsonObject => ({
  natural_token: name,
  ordinal: names.indexOf(name),
  ordinals: names.length
})
const timeOf = (at: string | null): JsonObject | null => (at === null ? null : mirrorTime(at))
const participants = { sources: ['participants'], sourceLicense: ['noassertion'] } as const

export function auctionDocument(auction: PublicAuction, encoding: string, pathTo: PathTo): MirrorText {
  const {
    starting_price: start,
    current_price: current,
    min_next_bid: next,
    bid_increment: step,
    buy_now_price: buy,
    dutch_end_price: end,
    dutch_price_drop: drop
  } = auction
  const ratio = (amount: Readonly<{ pence: number }> | null): number | null =>
    amount === null ? null : amount.pence / start.pence
  const body: JsonObject = {
    _links: linksOf({
      kind: 'auction_state',
      connections: [pathTo('universal/card', { sku: auction.sku })],
      canonical: pathTo('market/universal-auction', { id: auction.id }),
      pattern: pathTo.pattern('market/universal-auction')
    }),
    _note_opaque: [],
    auction: auction.id,
    auction_type: ordinalOf(auctionTypes, auction.auction_type),
    bid_count: auction.bid_count,
    extensions: auction.extensions,
    is_sold: auction.is_sold,
    pricing: {
      current_to_starting_ratio: ratio(current),
      min_next_bid_to_starting_ratio: ratio(next),
      bid_increment_to_starting_ratio: ratio(step),
      buy_now_to_starting_ratio: ratio(buy),
      dutch_end_to_starting_ratio: ratio(end),
      dutch_drop_to_starting_ratio: ratio(drop)
    },
    reserve_met: auction.reserve_met,
    rights,
    sku: auction.sku,
    status: ordinalOf(states, auction.status),
    timing: {
      starts_at: timeOf(auction.starts_at),
      ends_at: timeOf(auction.ends_at),
      actual_end_at: timeOf(auction.actual_end_at),
      created_at: mirrorTime(auction.created_at)
    }
  }
  return mirrorDocument({ encoding, kind: 'auction_state', seed: seedOf('auction_state', body), body, ...participants })
}

export const TrustDocument = mirrorSchema('user_trust_state', {
  ...structure,
  identity: closed({ username: Text }),
  membership: closed({ since: Text }),
  reviews: closed({ average_ratio: Ratio, total: Count, five_star_ratio: Ratio }),
  trades: closed({ completed: Count }),
  trust: closed({ score_int: Count, score_ratio: Type.Number(), tier_name: Text, tier_ordinal: Count, tiers: Count })
})

export function trustDocument(trust: TrustShown, encoding: string, pathTo: PathTo): MirrorText {
  const {
    username,
    reviews: { average, total, five_star: five }
  } = trust
  const body: JsonObject = {
    _links: linksOf({
      kind: 'user_trust_state',
      connections: [],
      canonical: pathTo('market/universal-trust', { username }),
      pattern: pathTo.pattern('market/universal-trust')
    }),
    _note_opaque: ['identity.username'],
    identity: { username },
    membership: { since: trust.member_since },
    reviews: {
      average_ratio: average === null ? null : average / 5,
      total,
      five_star_ratio: total === 0 ? null : five / total
    },
    rights,
    trades: { completed: trust.completed_trades },
    trust: {
      score_int: trust.trust_score,
      score_ratio: trust.trust_score / 100,
      tier_name: trust.tier.name,
      tier_ordinal: tierNames.indexOf(trust.tier.name),
      tiers: tierNames.length
    }
  }
  return mirrorDocument({
    encoding,
    kind: 'user_trust_state',
    seed: seedOf('user_trust_state', body),
    body,
    ...participants
  })
}
