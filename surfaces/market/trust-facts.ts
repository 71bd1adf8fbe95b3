import { closed, Count, nullable, Text, Type } from 'pantry/data'
import type { Knex } from 'pantry/database'
import type { Store } from './row.ts'
import { scoreOf, trustParts, type TrustFacts } from './trust.ts'

const Facts = closed({
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
 * Query for the inputs of the scores of some people. A trade is a sale with a winner. If the seller cancelled it
 * because the winner did not pay, it counts as failed for the winner.
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

/** Returns the inputs of the scores of some people, by person id. */
async function factsOf(
  { rows }: Pick<Store, 'rows'>,
  knex: Knex,
  people: readonly string[]
): Promise<ReadonlyMap<string, TrustFacts>> {
  return new Map(
    (await rows(Facts, knex.raw(facts, { people: [...people] }))).map(
      ({ person, completed, failed, volume, days, open, lost, split, signals, reviews }) => [
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
      ]
    )
  )
}

/** Returns the inputs of the score of a person. */
export async function trustFacts(store: Pick<Store, 'rows'>, knex: Knex, person: string): Promise<TrustFacts> {
  const found = (await factsOf(store, knex, [person])).get(person)
  if (found === undefined) throw new Error('Each person has facts.')
  return found
}

/** Returns the current scores of some people. */
export const scoresNow = async (
  store: Pick<Store, 'rows'>,
  knex: Knex,
  people: readonly string[]
): Promise<ReadonlyMap<string, number>> =>
  new Map([...(await factsOf(store, knex, people))].map(([person, found]) => [person, scoreOf(trustParts(found))]))

/** Returns the current score of a person. */
export const scoreNow = async (store: Pick<Store, 'rows'>, knex: Knex, person: string): Promise<number> =>
  scoreOf(trustParts(await trustFacts(store, knex, person)))
