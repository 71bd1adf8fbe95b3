import { counted } from 'pantry/data'

/** The input of a trust score. */
export type TrustFacts = Readonly<{
  completed: number
  /** The number of finished trades, completed or failed. */
  concluded: number
  /** The stars of each review, with the score of its author at the time of writing. */
  reviews: readonly Readonly<{ stars: number; reviewer_score: number }>[]
  /** Total amount of the completed trades, in pence. */
  volume: number
  daysSinceFirstTrade: number | null
  verifiedAccounts: number
  openDisputes: number
  lostDisputes: number
  splitDisputes: number
  /** The number of unresolved signals of at least medium severity. */
  fraudSignals: number
}>

/** One part of a score: its points, the maximum or minimum of points, and an explanation. */
type TrustPart = Readonly<{ part: string; points: number; bound: number | null; from: string }>

/** The weight of a review by the minimum score of its author. */
export const reviewerWeights = [
  { from: 80, weight: 1 },
  { from: 50, weight: 0.8 },
  { from: 20, weight: 0.6 },
  { from: 0, weight: 0.4 }
] as const

/** Returns the weight of a review by the score of its author. */
export const reviewerWeight = (score: number): number => reviewerWeights.find(({ from }) => score >= from)?.weight ?? 0

/** Returns the weighted mean of the stars; null without reviews. */
export function weightedStars(reviews: TrustFacts['reviews']): number | null {
  const weights = reviews.reduce((sum, one) => sum + reviewerWeight(one.reviewer_score), 0)
  return weights === 0
    ? null
    : reviews.reduce((sum, one) => sum + one.stars * reviewerWeight(one.reviewer_score), 0) / weights
}

const daysOfMonth = 30

/** Returns each part of a score, in whole points. */
export function trustParts(facts: TrustFacts): readonly TrustPart[] {
  const {
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
  } = facts
  const stars = weightedStars(reviews)
  const pounds = volume / 100
  const less = (part: string, count: number, each: number, what: string): TrustPart => ({
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
      points: Math.min(15, Math.round(5 * Math.log10(Math.max(1, pounds)))),
      bound: 15,
      from: 'five times the decimal logarithm of the pounds of completed trades'
    },
    {
      part: 'age',
      points: days === null ? 0 : Math.min(10, Math.round((2 * days) / daysOfMonth)),
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
    less('open_disputes', openDisputes, 10, 'disputes that an admin took up'),
    less('lost_disputes', lostDisputes, 15, 'disputes decided against them'),
    less('split_disputes', splitDisputes, 8, 'disputes decided between both'),
    less('fraud_signals', fraudSignals, 20, 'signals of fraud that an admin set and nobody resolved')
  ]
}

/** Returns the sum of the parts, limited to 0 to 100. */
export const scoreOf = (parts: readonly TrustPart[]): number =>
  Math.min(
    100,
    Math.max(
      0,
      parts.reduce((sum, { points }) => sum + points, 0)
    )
  )
