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
      and (a.status = 'live' and (b.state = 'open' or b.id = a.leading_bid) or a.status in ('ended', 'paid') and a.winner = :person) group by a.id) of_each`

/** The person, locked until the transaction ends, so that what they begin at once is counted one after another. 403 for who is suspended. */
export async function lockBidder ({ rows }: Pick<Store, 'rows'>, transaction: Knex.Transaction, person: string): Promise<void> {
  const [found] = await rows(Locked, transaction('people').select('id', 'suspended_at').where({ id: person }).forNoKeyUpdate())
  if (found === undefined || found.suspended_at !== null) throw new SurfaceError('FORBIDDEN', 'Who is suspended, or has left, cannot trade.')
}

/** The tier of a person, and what they have begun beside one auction. */
export async function standingOf (store: Pick<Store, 'rows'>, knex: Knex, person: string, auction: string): Promise<Readonly<{ tier: Tier, begun: number }>> {
  const [sum] = await store.rows(closed({ begun: Count }), knex.raw(begun, { person, auction }))
  return { tier: tierOf(await scoreNow(store, knex, person)), begun: sum?.begun ?? 0 }
}

/** 403 for an amount over the limits of the bidder's tier. */
export async function checkLimits (store: Pick<Store, 'rows'>, transaction: Knex.Transaction, { id, currency }: AuctionRow, person: string, amount: number): Promise<void> {
  await lockBidder(store, transaction, person)
  const { tier, begun: elsewhere } = await standingOf(store, transaction, person, id)
  const over = limitOver(tier, amount, elsewhere)
  if (over === undefined) return
  const limit = showMoney({ pence: tier[over], currency })
  throw new SurfaceError('FORBIDDEN', over === 'trade_limit' ? `The tier ${tier.name} may spend ${limit} in one trade.` : `The tier ${tier.name} may begin ${limit} in 24 hours, with what is begun already.`, { details: { limit: over, pence: tier[over], begun: elsewhere, tier: tier.name } })
}
