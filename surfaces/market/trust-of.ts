import { closed, Count, Day, Moment, notFound, nullable, Path, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import { noticeVersion } from '../accounts/notice.ts'
import { isPublic } from './gate.ts'
import { licenses, type Store } from './row.ts'
import { tierNames, tierOf } from './tiers.ts'
import { scoreOf, trustParts, weightedStars } from './trust.ts'
import { trustFacts } from './trust-facts.ts'

const TierShown = closed({ name: Type.Enum(tierNames), min_score: Count, trade_limit: Count, daily_limit: Count })
const Review = closed({
  id: Text,
  stars: Count,
  text: Text,
  license: Type.Enum([...licenses]),
  by: Type.Enum(['seller', 'buyer']),
  written_on: Day
})

/** The schema of a public trust score with each of its parts. */
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

const Found = closed({ id: Text, username: Text, since: Day, as_of: Text })

/** Trust scores of people with a public profile. Any other name, whether it exists or not, gets the same 404. */
export class Trust {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async of(name: string, pathTo: PathTo): Promise<TrustShown> {
    const { knex, rows } = this.#store
    const username = name.toLowerCase()
    const [person] = await rows(
      Found,
      knex('people as p')
        .select(
          'p.id',
          'p.username',
          knex.raw("(p.created_at at time zone 'UTC')::date as since, clock_timestamp() as as_of")
        )
        .where('p.username', username)
        .whereRaw(isPublic, { notice: noticeVersion })
    )
    if (person === undefined) throw notFound('public profile', name)
    const [facts, latest] = await Promise.all([
      trustFacts(this.#store, knex, person.id),
      rows(
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
