import type { Database } from 'pantry/database'

/** Which artists are asked for: `game` is a token, `name` a lowercase name; `limit` at most this many. */
export type CreditsQuery = Readonly<{ game: string | undefined, name: string | undefined, limit: number }>

export type Work = Readonly<{ sku: string, name: string | null, set_code: string, card_number: string, lang: string, game: string }>
export type Artist = Readonly<{ name: string, games: readonly string[], works: number, shown: readonly Work[] }>
export type Credits = Readonly<{ artists: readonly Artist[], totals: Readonly<{ artists: number, credits: number }> }>

/** `skus` holds the first works of each game, with spaces between them; a SKU has none. */
type Found = Readonly<{ name: string, games: readonly string[], works: number, skus: string }>

/** Works that are listed of one artist. */
export const worksShown = 12

/** Artists by number of credited cards, then by name, with their first works by SKU. No statement reads more cards than are shown. */
export class CreditsDesk {
  readonly #knex: Database['knex']

  constructor ({ knex }: Pick<Database, 'knex'>) {
    this.#knex = knex
  }

  async find ({ game, name, limit }: CreditsQuery): Promise<Credits> {
    const asked = this.#knex('artists').modify(query => {
      if (game !== undefined) void query.where({ game })
      if (name !== undefined) void query.where({ name_key: name })
    })
    const [found, [totals]] = await Promise.all([
      asked.clone().select<Found[]>(
        'name', this.#knex.raw('array_agg(game order by game collate "C") as games'), this.#knex.raw('sum(works)::int as works'),
        this.#knex.raw("string_agg(array_to_string(first_works, ' '), ' ') as skus")
      ).groupBy('name').orderByRaw('sum(works) desc, name collate "C"').limit(limit),
      asked.clone().select<{ artists: number, credits: number }[]>(
        this.#knex.raw('count(distinct name)::int as artists'), this.#knex.raw('coalesce(sum(works), 0)::int as credits'))
    ])
    const first = found.map(({ skus }) => skus.split(' ').sort().slice(0, worksShown))
    const works = await this.#works(first.flat())
    return {
      artists: found.map(({ name, games, works: count }, index) => ({ name, games, works: count, shown: (first[index] ?? []).flatMap(sku => works.get(sku) ?? []) })),
      totals: totals ?? { artists: 0, credits: 0 }
    }
  }

  async #works (skus: readonly string[]): Promise<ReadonlyMap<string, Work>> {
    const works = await this.#knex('cards').select<Work[]>('sku', 'name', 'set_code', 'card_number', 'lang', 'game').whereRaw('sku = any(?)', [[...skus]])
    return new Map(works.map(work => [work.sku, work]))
  }
}
