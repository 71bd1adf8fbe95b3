/**
 * Tiers of trust, by the score that each begins at; limits in pence, for one trade and for what is begun in 24 hours.
 */
export const tiers = [
  { name: 'New', min_score: 0, trade_limit: 5000, daily_limit: 10_000 },
  { name: 'Starter', min_score: 20, trade_limit: 15_000, daily_limit: 50_000 },
  { name: 'Trusted', min_score: 50, trade_limit: 50_000, daily_limit: 200_000 },
  { name: 'Veteran', min_score: 80, trade_limit: 200_000, daily_limit: 1_000_000 },
  { name: 'Elite', min_score: 95, trade_limit: 1_000_000, daily_limit: 5_000_000 }
] as const
export type Tier = (typeof tiers)[number]
export const tierNames = tiers.map(({ name }) => name)

/** The tier of a score. */
export const tierOf = (score: number): Tier => tiers.findLast(({ min_score: least }) => score >= least) ?? tiers[0]

/** Which limit an amount would be over, beside what is begun already; undefined for none. */
export function limitOver(
  { trade_limit: trade, daily_limit: daily }: Tier,
  amount: number,
  begun: number
): 'trade_limit' | 'daily_limit' | undefined {
  if (amount > trade) return 'trade_limit'
  return begun + amount > daily ? 'daily_limit' : undefined
}
