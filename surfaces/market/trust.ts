import {
  closed,
  Count,
  counted,
  Day,
  Moment,
  notFound,
  nullable,
  Path,
  Text,
  Type,
  type DataOf,
  type PathTo
} from 'pantry/data'
import { noticeVersion } from '../people/receipts.ts'
import { Repository, type Store } from '../common/repository.ts'
import { isPublic, licenses } from './auction.ts'

/** Trust tiers by minimum score. Limits are in pence, for one trade and for all trades begun within 24 hours. */
export const tiers = [
  { name: 'New', min_score: 0, trade_limit: 5000, daily_limit: 10_000 },
  { name: 'Starter', min_score: 20, trade_limit: 15_000, daily_limit: 50_000 },
  { name: 'Trusted', min_score: 50, trade_limit: 50_000, daily_limit: 200_000 },
  { name: 'Veteran', min_score: 80, trade_limit: 200_000, daily_limit: 1_000_000 },
  { name: 'Elite', min_score: 95, trade_limit: 1_000_000, daily_limit: 5_000_000 }
] as const
export type MarketTier = (typeof tiers)[number]
export const tierNames = tiers.map(({ name }) => name)

export const tierOf = (score: number): MarketTier =>
  tiers.findLast(({ min_score: least }) => score >= least) ?? tiers[0]

/** Returns the limit that an amount would exceed: of one trade alone, or of a day with what is begun already. */
export function limitOver(
  { trade_limit: trade, daily_limit: daily }: MarketTier,
  amount: number,
  begun: number
): 'trade_limit' | 'daily_limit' | undefined {
  if (amount > trade) return 'trade_limit'
  return begun + amount > daily ? 'daily_limit' : undefined
}

export type TrustFacts = Readonly<{
  completed: number
  /** Finished trades, completed or failed. */
  concluded: number
  /** Each with the score of its author at the time of writing. */
  reviews: readonly Readonly<{ stars: number; reviewer_score: number }>[]
  /** The sum of what was paid in the completed trades, in pence. */
  volume: number
  daysSinceFirstTrade: number | null
  verifiedAccounts: number
  openDisputes: number
  lostDisputes: number
  splitDisputes: number
  /** Unresolved signals of at least medium severity. */
  fraudSignals: number
}>

type TrustPart = Readonly<{ part: string; points: number; bound: number | null; from: string }>

/** The weight of a review by the minimum score of its author. */
export const reviewerWeights = [
  { from: 80, weight: 1 },
  { from: 50, weight: 0.8 },
  { from: 20, weight: 0.6 },
  { from: 0, weight: 0.4 }
] as const

export const reviewerWeight = (score: number): number => reviewerWeights.find(({ from }) => score >= from)?.weight ?? 0

/** Returns the average of the stars, weighted by the scores of the reviewers; null without reviews. */
export function weightedStars(reviews: TrustFacts['reviews']): number | null {
  let [weights, stars] = [0, 0]
  for (const review of reviews) {
    const weight = reviewerWeight(review.reviewer_score)
    weights += weight
    stars += review.stars * weight
  }
  return weights === 0 ? null : stars / weights
}

/** Returns the parts of a trust score, in whole points: deductions are negative. */
export function trustParts({
  completed,
  concluded,
  reviews,
  volume,
  daysSinceFirstTrade: days,
  verifiedAccounts,
  openDisputes,
  lostDisputes,
  splitDisputes,
  fraudSignals
}: TrustFacts): readonly TrustPart[] {
  const stars = weightedStars(reviews)
  const deduction = (part: string, count: number, each: number, what: string): TrustPart => ({
    part,
    points: 0 - count * each,
    bound: null,
    from: `${count} ${what}, ${each} points each`
  })
  return [
    {
      part: 'completion',
      points: concluded === 0 ? 0 : Math.round((35 * completed) / concluded),
      bound: 35,
      from: `${completed} completed of ${concluded} trades that are over`
    },
    {
      part: 'reviews',
      points: stars === null ? 0 : Math.round((30 * stars) / 5),
      bound: 30,
      from:
        stars === null
          ? 'no reviews'
          : `${stars.toFixed(2)} of 5 stars in ${counted(reviews.length, 'review')}, by the weight of their authors`
    },
    {
      part: 'volume',
      points: Math.min(15, Math.round(5 * Math.log10(Math.max(1, volume / 100)))),
      bound: 15,
      from: 'five times the decimal logarithm of the pounds of completed trades'
    },
    {
      part: 'age',
      points: days === null ? 0 : Math.min(10, Math.round((2 * days) / 30)),
      bound: 10,
      from:
        days === null
          ? 'no trade yet'
          : `${counted(Math.floor(days), 'day')} since the first trade, two points for 30 days`
    },
    {
      part: 'accounts',
      points: Math.min(10, 5 * verifiedAccounts),
      bound: 10,
      from: 'accounts elsewhere that were verified: none is verified here yet'
    },
    deduction('open_disputes', openDisputes, 10, 'disputes that an admin took up'),
    deduction('lost_disputes', lostDisputes, 15, 'disputes decided against them'),
    deduction('split_disputes', splitDisputes, 8, 'disputes decided between both'),
    deduction('fraud_signals', fraudSignals, 20, 'signals of fraud that an admin set and nobody resolved')
  ]
}

/** The sum of the parts, limited to 0 to 100. */
export function scoreOf(parts: readonly TrustPart[]): number {
  const sum = parts.reduce((sum, { points }) => sum + points, 0)
  return Math.min(100, Math.max(0, sum))
}

const FactsRow = closed({
  person: Text,
  completed: Count,
  failed: Count,
  volume: Count,
  days: nullable(Type.Number()),
  open: Count,
  lost: Count,
  split: Count,
  signals: Count,
  reviews: Type.Array(closed({ stars: Count, reviewer_score: Count }))
})

/**
 * Query for the trades and reviews of people (`:people`). A trade is an auction with a winning bid. If the seller
 * cancelled it because the winner did not pay, it counts as failed for the winner alone.
 */
const facts = `
  select p.person, found.*,
    (select count(*) from fraud_signals s where s.person = p.person and severity <> 'low' and resolved_at is null) as signals,
    coalesce((select jsonb_agg(jsonb_build_object('stars', stars, 'reviewer_score', reviewer_score) order by written_at, id) from auction_reviews where about = p.person and removed_at is null), '[]') as reviews
  from unnest(:people::uuid[]) as p (person) cross join lateral (
    select
      count(*) filter (where status = 'paid' and received_at is not null) as completed,
      count(*) filter (where status = 'cancelled' and side = 'winner' and cancelled_by = 'seller') as failed,
      coalesce(sum(winning_price) filter (where status = 'paid' and received_at is not null), 0)::bigint as volume,
      extract(epoch from clock_timestamp() - min(actual_end_at))::float8 / 86400 as days,
      count(*) filter (where dispute = 'open') as open,
      count(*) filter (where dispute = case side when 'seller' then 'for_buyer' else 'for_seller' end) as lost,
      count(*) filter (where dispute = 'split') as split
    from (select a.*, case when a.seller = p.person then 'seller' else 'winner' end as side from auctions a where a.winning_bid is not null and (a.seller = p.person or a.winner = p.person)) trades
  ) found`

async function factsOf({ knex, rows }: Store, people: readonly string[]): Promise<ReadonlyMap<string, TrustFacts>> {
  const found = await rows(FactsRow, knex.raw(facts, { people: [...people] }))
  return new Map(
    found.map(({ person, completed, failed, volume, days, open, lost, split, signals, reviews }) => [
      person,
      {
        completed,
        concluded: completed + failed,
        reviews,
        volume,
        daysSinceFirstTrade: days === null ? null : Math.max(0, days),
        verifiedAccounts: 0,
        openDisputes: open,
        lostDisputes: lost,
        splitDisputes: split,
        fraudSignals: signals
      }
    ])
  )
}

async function trustFacts(store: Store, person: string): Promise<TrustFacts> {
  const found = (await factsOf(store, [person])).get(person)
  if (found === undefined) throw new Error('Each person has facts.')
  return found
}

export const scoresNow = async (store: Store, people: readonly string[]): Promise<ReadonlyMap<string, number>> =>
  new Map([...(await factsOf(store, people))].map(([person, facts]) => [person, scoreOf(trustParts(facts))]))

export const scoreNow = async (store: Store, person: string): Promise<number> =>
  scoreOf(trustParts(await trustFacts(store, person)))

const TierShown = closed({ name: Type.Enum(tierNames), min_score: Count, trade_limit: Count, daily_limit: Count })
const Review = closed({
  id: Text,
  stars: Count,
  text: Text,
  license: Type.Enum(licenses),
  by: Type.Enum(['seller', 'buyer']),
  written_on: Day
})

export const TrustShown = closed({
  username: Text,
  display_name: Text,
  member_since: Day,
  trust_score: Count,
  tier: TierShown,
  completed_trades: Count,
  parts: Type.Array(closed({ part: Text, points: Type.Integer(), bound: nullable(Type.Integer()), from: Text })),
  reviews: closed({ average: nullable(Type.Number()), total: Count, five_star: Count, latest: Type.Array(Review) }),
  as_of: Moment,
  page: Path
})
export type TrustShown = DataOf<typeof TrustShown>

export const Username = Type.String({ minLength: 1, maxLength: 80, description: 'Username, in any letter case.' })

const PublicPerson = closed({ id: Text, username: Text, since: Day, as_of: Text })

/** Trust scores of people with a public profile. Any other name, whether it exists or not, gets the same 404. */
export class Trust extends Repository {
  async of(name: string, pathTo: PathTo): Promise<TrustShown> {
    const { knex } = this
    const person = await this.first(
      PublicPerson,
      knex('people as p')
        .select(
          'p.id',
          'p.username',
          knex.raw("(p.created_at at time zone 'UTC')::date as since, clock_timestamp() as as_of")
        )
        .where('p.username', name.toLowerCase())
        .whereRaw(isPublic, { notice: noticeVersion })
    )
    if (person === undefined) throw notFound('public profile', name)
    const [facts, latest] = await Promise.all([
      trustFacts(this.store, person.id),
      this.rows(
        Review,
        knex('auction_reviews')
          .select(
            'id',
            'stars',
            'text',
            'license',
            knex.raw("case by when 'seller' then 'seller' else 'buyer' end as by"),
            knex.raw("(written_at at time zone 'UTC')::date as written_on")
          )
          .where({ about: person.id })
          .whereNull('removed_at')
          .orderBy('written_at', 'desc')
          .orderBy('id')
          .limit(20)
      )
    ])
    const parts = trustParts(facts)
    const score = scoreOf(parts)
    return {
      username: person.username,
      display_name: person.username,
      member_since: person.since,
      trust_score: score,
      tier: tierOf(score),
      completed_trades: facts.completed,
      parts: [...parts],
      reviews: {
        average: weightedStars(facts.reviews),
        total: facts.reviews.length,
        five_star: facts.reviews.filter(({ stars }) => stars === 5).length,
        latest: [...latest]
      },
      as_of: person.as_of,
      page: pathTo('pages/people/trust', { username: person.username })
    }
  }
}
