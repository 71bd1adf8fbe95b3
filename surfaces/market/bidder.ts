import { closed, Count, nullable, SurfaceError, Text } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { showMoney } from './money.ts'
import type { AuctionRow, Store } from './row.ts'
import { limitOver, tierOf, type MarketTier } from './tiers.ts'
import { scoresNow } from './trust-facts.ts'

const LockedPerson = closed({ id: Text, suspended_at: nullable(Text) })

/**
 * Query for the amounts that people have committed to in other auctions within 24 hours: auctions that they lead or
 * have won, and open offers.
 */
const begun = `
  select p.person, coalesce(sum(most), 0)::bigint as begun from unnest(:people::uuid[]) as p (person) left join lateral (
    select max(b.amount) as most from auction_bids b join auctions a on a.id = b.auction
    where b.bidder = p.person and a.id <> :auction and b.at > clock_timestamp() - interval '24 hours'
      and (a.status = 'live' and (b.state = 'open' or b.id = a.leading_bid) or a.status in ('ended', 'paid') and b.id = a.winning_bid) group by a.id) of_each on true group by p.person`

const mayNotTrade = (): SurfaceError => new SurfaceError('FORBIDDEN', 'Who is suspended, or has left, cannot trade.')

/**
 * Returns those of some people who may trade. Locks the rows of all until the transaction ends, in one order, so that
 * commitments made at the same time are counted one after another.
 */
async function holdBidders(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  people: readonly string[]
): Promise<readonly string[]> {
  const found = await rows(
    LockedPerson,
    transaction('people').select('id', 'suspended_at').whereIn('id', people).orderBy('id').forNoKeyUpdate()
  )
  return found.filter(({ suspended_at: suspended }) => suspended === null).map(({ id }) => id)
}

/** Locks the row of the person until the transaction ends. 403 if the person may not trade. */
export async function lockBidder(
  store: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  person: string
): Promise<void> {
  if ((await holdBidders(store, transaction, [person])).length === 0) throw mayNotTrade()
}

/** The tier of a person, and the amount they have committed to in other auctions. */
export type Standing = Readonly<{ tier: MarketTier; begun: number }>

/**
 * Returns the tiers and commitments of those of some people who may trade, by person id. Locks the rows of all until
 * the transaction ends.
 */
export async function lockStandings(
  store: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  people: readonly string[],
  auction: string
): Promise<ReadonlyMap<string, Standing>> {
  const free = people.length === 0 ? [] : await holdBidders(store, transaction, people)
  if (free.length === 0) return new Map()
  const sums = new Map(
    (
      await store.rows(closed({ person: Text, begun: Count }), transaction.raw(begun, { people: [...free], auction }))
    ).map(row => [row.person, row.begun])
  )
  return new Map(
    [...(await scoresNow(store, transaction, free))].map(([person, score]) => [
      person,
      { tier: tierOf(score), begun: sums.get(person) ?? 0 }
    ])
  )
}

/** Throws a 403 if the person may not trade or the amount exceeds a limit of their tier. */
export function checkLimits(standing: Standing | undefined, { currency }: AuctionRow, amount: number): void {
  if (standing === undefined) throw mayNotTrade()
  const { tier, begun: elsewhere } = standing
  const over = limitOver(tier, amount, elsewhere)
  if (over === undefined) return
  const limit = showMoney({ pence: tier[over], currency })
  throw new SurfaceError(
    'FORBIDDEN',
    over === 'trade_limit'
      ? `The tier ${tier.name} may spend ${limit} in one trade.`
      : `The tier ${tier.name} may begin ${limit} in 24 hours, with what is begun already.`,
    { details: { limit: over, pence: tier[over], begun: elsewhere, tier: tier.name } }
  )
}
