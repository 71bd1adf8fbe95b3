import { closed, Count, nullable, SurfaceError, Text } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { showMoney } from './money.ts'
import type { AuctionRow, Store } from './row.ts'
import { limitOver, tierOf, type Tier } from './tiers.ts'
import { scoreNow } from './trust-facts.ts'

const Locked = closed({ id: Text, suspended_at: nullable(Text) })

/** What somebody has begun in 24 hours elsewhere and is bound to: auctions that they lead or have won, and open offers. */
const begun = `
  select coalesce(sum(most), 0)::bigint as begun from (
    select max(b.amount) as most from auction_bids b join auctions a on a.id = b.auction
    where b.bidder = :person and a.id <> :auction and b.at > clock_timestamp() - interval '24 hours'
      and (a.status = 'live' and (b.state = 'open' or b.id = a.leading_bid) or a.status in ('ended', 'paid') and b.id = a.winning_bid) group by a.id) of_each`

const mayNotTrade = (): SurfaceError => new SurfaceError('FORBIDDEN', 'Who is suspended, or has left, cannot trade.')

/** Whether somebody may trade. They are locked until the transaction ends, so that what they begin at once is counted one after another. */
async function holdBidder ({ rows }: Pick<Store, 'rows'>, transaction: Knex.Transaction, person: string): Promise<boolean> {
  const [found] = await rows(Locked, transaction('people').select('id', 'suspended_at').where({ id: person }).forNoKeyUpdate())
  return found !== undefined && found.suspended_at === null
}

/** The person, locked until the transaction ends. 403 for who may not trade. */
export async function lockBidder (store: Pick<Store, 'rows'>, transaction: Knex.Transaction, person: string): Promise<void> {
  if (!await holdBidder(store, transaction, person)) throw mayNotTrade()
}

/** What somebody may begin: their tier, and what they have begun beside one auction. */
export type Standing = Readonly<{ tier: Tier, begun: number }>

/** The standing of a person, who is locked until the transaction ends; undefined for who may not trade. */
export async function lockStanding (store: Pick<Store, 'rows'>, transaction: Knex.Transaction, person: string, auction: string): Promise<Standing | undefined> {
  if (!await holdBidder(store, transaction, person)) return undefined
  const [sum] = await store.rows(closed({ begun: Count }), transaction.raw(begun, { person, auction }))
  return { tier: tierOf(await scoreNow(store, transaction, person)), begun: sum?.begun ?? 0 }
}

/** 403 for who may not trade, and for an amount over the limits of the tier. */
export function checkLimits (standing: Standing | undefined, { currency }: AuctionRow, amount: number): void {
  if (standing === undefined) throw mayNotTrade()
  const { tier, begun: elsewhere } = standing
  const over = limitOver(tier, amount, elsewhere)
  if (over === undefined) return
  const limit = showMoney({ pence: tier[over], currency })
  throw new SurfaceError('FORBIDDEN', over === 'trade_limit' ? `The tier ${tier.name} may spend ${limit} in one trade.` : `The tier ${tier.name} may begin ${limit} in 24 hours, with what is begun already.`, { details: { limit: over, pence: tier[over], begun: elsewhere, tier: tier.name } })
}
