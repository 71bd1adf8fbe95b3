import { closed, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import { cadenceNames, cadences, type Cadence, type Metrics, type Unit } from './collector-schemas.ts'
import { noticeVersion } from './receipts.ts'
import { Repository } from '../common/repository.ts'

const PublishedPerson = closed({
  id: Text,
  scopes: Texts,
  languages: nullable(Texts),
  region: nullable(Text),
  cadence: nullable(Type.Enum(cadenceNames))
})
const Collective = closed({ languages: Texts, region: nullable(Text) })
const ListedCard = closed({ list: Text, sku: Text })

export class Parties extends Repository {
  /** Returns what a party has published. `name` is `u:` with a username, or `c:` with the slug of a collective. */
  async published(name: string): Promise<Published> {
    return await (name.startsWith('u:') ? this.#person(name.slice(2)) : this.#collective(name.slice(2)))
  }

  async #person(username: string): Promise<Published> {
    const person = await this.first(
      PublishedPerson,
      this.knex('people as p')
        .leftJoin('profiles as f', 'f.person', 'p.id')
        .where('p.username', username)
        .whereNull('p.suspended_at')
        .select(
          'p.id',
          'f.languages',
          'f.region',
          'f.cadence',
          this.knex.raw(
            'array(select scope from publication_receipts r where r.person = p.id and r.notice_version = ? and r.withdrawn_at is null) as scopes',
            [noticeVersion]
          )
        )
    )
    const has = (scope: string): boolean => person?.scopes.includes(scope) === true
    if (person === undefined || !has('profile')) return {}
    const { languages, region, cadence } = person
    const published = (['have', 'want'] as const).filter(list => has(`${list}-list`))
    const cards =
      published.length === 0
        ? []
        : await this.rows(
            ListedCard,
            this.knex('list_cards').select('list', 'sku').where({ person: person.id }).whereIn('list', published)
          )
    return {
      ...Object.fromEntries(
        published.map(name => [name, new Set(cards.filter(({ list }) => list === name).map(({ sku }) => sku))])
      ),
      ...(has('language') && languages !== null ? { languages: new Set(languages) } : {}),
      ...(has('region') && region !== null ? { region } : {}),
      ...(cadence === null ? {} : { cadence })
    }
  }

  async #collective(slug: string): Promise<Published> {
    const found = await this.first(
      Collective,
      this.knex('listed_organisations').select('languages', 'region').where({ slug, notice_version: noticeVersion })
    )
    if (found === undefined) return {}
    const { languages, region } = found
    return { languages: new Set(languages), ...(region === null ? {} : { region }) }
  }
}

/** What a party has published. A part that is not published is absent. */
export type Published = Readonly<{
  have?: ReadonlySet<string>
  want?: ReadonlySet<string>
  languages?: ReadonlySet<string>
  region?: string
  cadence?: Cadence
}>

type Metric<Value> = Readonly<{
  value: Value | null
  unit: Unit
  reason: 'not_published' | 'nothing_to_compare' | null
  formula: string
}>

const round = (value: number): number => Math.round(value * 10_000) / 10_000
const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] => [...a].filter(one => b.has(one))

/**
 * Computes a metric of a part that both parties must have published; `measure` returns null if there is nothing to
 * compare.
 */
function metricOf<Part, Value>(
  unit: Unit,
  formula: string,
  a: Part | undefined,
  b: Part | undefined,
  measure: (a: Part, b: Part) => Value | null
): Metric<Value> {
  if (a === undefined || b === undefined) return { value: null, unit, reason: 'not_published', formula }
  const value = measure(a, b)
  return { value, unit, reason: value === null ? 'nothing_to_compare' : null, formula }
}

type TextSet = ReadonlySet<string> | undefined

const jaccard = (formula: string, a: TextSet, b: TextSet): Metric<number> =>
  metricOf('share', formula, a, b, (a, b) => {
    const all = new Set([...a, ...b]).size
    return all === 0 ? null : round(shared(a, b).length / all)
  })

const sharedCards = (formula: string, a: TextSet, b: TextSet): Metric<number> =>
  metricOf('cards', formula, a, b, (a, b) => shared(a, b).length)

/** The weight of each part of the score in percent, and its label. */
const parts = {
  portfolio_jaccard: { percent: 35, of: 'the cards they have' },
  wishlist_jaccard: { percent: 15, of: 'the cards they look for' },
  language_jaccard: { percent: 20, of: 'their languages' },
  region_match: { percent: 15, of: 'where they are (the same counts in full)' },
  cadence_ratio: { percent: 15, of: 'how soon they answer' }
} as const

/** The least weight in percent of the parts with a value for which there is a score. */
const floor = 50

const scoreFormula = `How alike they are in ${Object.values(parts)
  .map(({ percent, of }) => `${of}, ${percent} %`)
  .join(
    '; '
  )}. A part without a value is left out, and the others count for more; with less than ${floor} % there is no score.`

/** Returns the metrics, and the weight in percent of those parts of the score that have a value. */
export function bridgeOf(
  a: Published,
  b: Published
): Readonly<{ metrics: DataOf<typeof Metrics>; coveredPercent: number }> {
  const aWants = sharedCards('How many different cards A looks for and B has.', a.want, b.have)
  const bWants = sharedCards('How many different cards B looks for and A has.', b.want, a.have)
  const metrics = {
    portfolio_jaccard: jaccard('Of the different cards that A or B has, the share that both have.', a.have, b.have),
    portfolio_shared_count: sharedCards('How many different cards both have.', a.have, b.have),
    wishlist_jaccard: jaccard(
      'Of the different cards that A or B looks for, the share that both look for.',
      a.want,
      b.want
    ),
    a_wants_from_b: aWants,
    b_wants_from_a: bWants,
    trade_potential: metricOf(
      'cards',
      'How many different cards A looks for and B has, and those that B looks for and A has.',
      aWants.value ?? undefined,
      bWants.value ?? undefined,
      (a, b) => a + b
    ),
    language_jaccard: jaccard('Of the languages that A or B uses, the share that both use.', a.languages, b.languages),
    shared_languages: metricOf('languages', 'Which languages both use.', a.languages, b.languages, (a, b) =>
      [...shared(a, b)].sort()
    ),
    region_match: metricOf('word', 'Whether both are in the same country or territory.', a.region, b.region, (a, b) =>
      a === b ? ('same' as const) : ('different' as const)
    ),
    cadence_ratio: metricOf(
      'share',
      'The shorter time in which one of them usually answers, as a share of the longer one.',
      a.cadence && cadences[a.cadence],
      b.cadence && cadences[b.cadence],
      (a, b) => round(Math.min(a, b) / Math.max(a, b))
    )
  }
  const weighted = Object.entries(parts).flatMap(([name, { percent }]) => {
    const { value } = metrics[name as keyof typeof parts]
    return value === null ? [] : [{ percent, value: typeof value === 'number' ? value : value === 'same' ? 1 : 0 }]
  })
  const percent = weighted.reduce((sum, part) => sum + part.percent, 0)
  const score =
    percent < floor ? null : round(weighted.reduce((sum, part) => sum + part.percent * part.value, 0) / percent)
  return {
    coveredPercent: percent,
    metrics: {
      ...metrics,
      bridge_score: {
        value: score,
        unit: 'share',
        reason: score === null ? 'not_published' : null,
        formula: scoreFormula
      }
    }
  }
}
