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

/** Returns the tier of a score. */
export const tierOf = (score: number): MarketTier =>
  tiers.findLast(({ min_score: least }) => score >= least) ?? tiers[0]

/** Returns the limit that an amount would exceed together with what is begun already; undefined if none. */
export function limitOver(
  { trade_limit: trade, daily_limit: daily }: MarketTier,
  amount: number,
  begun: number
): 'trade_limit' | 'daily_limit' | undefined {
  if (amount > trade) return 'trade_limit'
  return begun + amount > daily ? 'daily_limit' : undefined
}
