import { closed, Count, nullable, Type } from 'pantry/data'
import type { Knex } from 'pantry/database'
import type { Store } from './row.ts'
import { scoreOf, trustParts, type TrustFacts } from './trust.ts'

const Facts = closed({
  completed: Count, failed: Count, volume: Count, days: nullable(Type.Number()), open: Count, lost: Count, split: Count, signals: Count,
  reviews: Type.Array(closed({ stars: Count, reviewer_score: Count }))
})

/** All that a score follows from, of one person. A trade is a sale with a winner; it failed for the winner whom the seller cancelled it for, because they did not pay. */
const facts = `
  with trades as (
    select a.*, case when a.seller = :person then 'seller' else 'winner' end as side from auctions a where a.winning_bid is not null and (a.seller = :person or a.winner = :person))
  select
    (select count(*) from trades where status = 'paid' and received_at is not null) as completed,
    (select count(*) from trades where status = 'cancelled' and side = 'winner' and cancelled_by = 'seller') as failed,
    (select coalesce(sum(winning_price), 0)::bigint from trades where status = 'paid' and received_at is not null) as volume,
    (select extract(epoch from clock_timestamp() - min(actual_end_at))::float8 / 86400 from trades) as days,
    (select count(*) from trades where dispute = 'open') as open,
    (select count(*) from trades where dispute = case side when 'seller' then 'for_buyer' else 'for_seller' end) as lost,
    (select count(*) from trades where dispute = 'split') as split,
    (select count(*) from fraud_signals where person = :person and severity <> 'low' and resolved_at is null) as signals,
    coalesce((select jsonb_agg(jsonb_build_object('stars', stars, 'reviewer_score', reviewer_score) order by written_at, id) from auction_reviews where about = :person and removed_at is null), '[]') as reviews`

/** What the score of a person follows from. */
export async function trustFacts ({ rows }: Pick<Store, 'rows'>, knex: Knex, person: string): Promise<TrustFacts> {
  const [found] = await rows(Facts, knex.raw(facts, { person }))
  if (found === undefined) throw new Error('A count gives one row.')
  const { completed, failed, volume, days, open, lost, split, signals, reviews } = found
  return {
    completed, concluded: completed + failed, reviews, volume, daysSinceFirstTrade: days === null ? null : Math.max(0, days), verifiedAccounts: 0,
    openDisputes: open, lostDisputes: lost, splitDisputes: split, fraudSignals: signals
  }
}

/** The score of a person now. */
export const scoreNow = async (store: Pick<Store, 'rows'>, knex: Knex, person: string): Promise<number> => scoreOf(trustParts(await trustFacts(store, knex, person)))
