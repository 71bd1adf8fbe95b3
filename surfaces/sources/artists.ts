import { closed, Count, NullableText, Text, Texts, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { CatalogueCache } from '../cards/kept.ts'
import type { Projection } from '../cards/writing.ts'

/** Which credits are asked for: `game` is a token, `name` a lowercase name. */
type CreditsQuery = Readonly<{ game: string | undefined; name: string | undefined; limit: number }>

const Work = closed({ sku: Text, name: NullableText, set_code: Text, card_number: Text, lang: Text, game: Text })
type CreditedWork = DataOf<typeof Work>
type Artist = Readonly<{ name: string; games: readonly string[]; works: number; shown: readonly CreditedWork[] }>
type Credits = Readonly<{ artists: readonly Artist[]; totals: DataOf<typeof Totals> }>

/**
 * A row of the query: `skus` contains the SKUs of the first works in each game, separated by spaces, which no SKU
 * contains.
 */
const Found = closed({ name: Text, games: Texts, works: Count, skus: Text })
const Totals = closed({ artists: Count, credits: Count })

export const maxArtists = 100

/** The most works that are listed of an artist. */
export const maxWorks = 12

/** Lists artists by number of credited works, then by name. Queries read only the cards that are shown. */
export class CreditsDesk {
  readonly #knex: Database['reading']
  readonly #rows: Database['rows']
  readonly #kept: CatalogueCache

  constructor({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>, kept: CatalogueCache) {
    this.#knex = knex
    this.#rows = rows
    this.#kept = kept
  }

  async find({ game, name, limit }: CreditsQuery): Promise<Credits> {
    if (name !== undefined) return await this.#find({ game, name, limit })
    const { artists, totals } = await this.#kept.of(`artists ${game ?? ''}`, () =>
      this.#find({ game, name, limit: maxArtists })
    )
    return { artists: artists.slice(0, limit), totals }
  }

  async #find({ game, name, limit }: CreditsQuery): Promise<Credits> {
    const matching = this.#knex('artists').modify(query => {
      if (game !== undefined) void query.where({ game })
      if (name !== undefined) void query.where({ name_key: name })
    })
    const [found, [totals]] = await Promise.all([
      this.#rows(
        Found,
        matching
          .clone()
          .select(
            'name',
            this.#knex.raw('array_agg(game order by game collate "C") as games'),
            this.#knex.raw('sum(works)::int as works'),
            this.#knex.raw("string_agg(array_to_string(first_works, ' '), ' ') as skus")
          )
          .groupBy('name')
          .orderByRaw('sum(works) desc, name collate "C"')
          .limit(limit)
      ),
      this.#rows(
        Totals,
        matching
          .clone()
          .select(
            this.#knex.raw('count(distinct name)::int as artists'),
            this.#knex.raw('coalesce(sum(works), 0)::int as credits')
          )
      )
    ])
    const first = found.map(({ skus }) => skus.split(' ').sort().slice(0, maxWorks))
    const works = await this.#works(first.flat())
    return {
      artists: found.map(({ name, games, works: count }, index) => ({
        name,
        games,
        works: count,
        shown: (first[index] ?? []).flatMap(sku => works.get(sku) ?? [])
      })),
      totals: totals ?? { artists: 0, credits: 0 }
    }
  }

  async #works(skus: readonly string[]): Promise<ReadonlyMap<string, CreditedWork>> {
    const works = await this.#rows(
      Work,
      this.#knex('cards')
        .select('sku', 'name', 'set_code', 'card_number', 'lang', 'game')
        .whereRaw('sku = any(?)', [[...skus]])
    )
    return new Map(works.map(work => [work.sku, work]))
  }
}

/** Recounts the works of artists for these games: a work is a number of a set, whatever its printings. */
export const deriveArtists: Projection = async (transaction, games) => {
  await transaction.raw('delete from artists where game = any(?)', [[...games]])
  await transaction.raw(
    `
    insert into artists (game, name, name_key, works, first_works)
    select game, artist, lower(artist), count(*)::int, (array_agg(sku order by sku collate "C"))[1:${maxWorks}] from (
      select game, artist, min(sku collate "C") as sku from cards, unnest(illustrators) as artist
      where game = any(?) and artist <> '' group by game, artist, set_code, card_number
    ) works group by game, artist`,
    [[...games]]
  )
}
