import { Type, nullable, NullableText, Text, type JsonObject } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

/** A printing as it is found by its number. */
export type FoundCard = Readonly<{
  sku: string
  set_code: string
  /** As printed. */
  card_number: string
  lang: string
  /** Empty for the ordinary printing. */
  variant: string
  name: string | null
  name_en: string | null
  rarity: string | null
  /** ISO 8601. */
  updated_at: string
}>

// The key, and then in this order:
const columns = [Text, Text, Text, Text, Text, Text, NullableText, NullableText, NullableText, Text] as const
const selected =
  "c.sku, c.set_code, c.card_number, c.lang, c.variant, c.name, c.name_translations->>'en', c.rarity, c.updated_at"

/** A printing as it is found by its SKU or its set. */
export type KnownCard = FoundCard & Readonly<{ game: string; attributes: JsonObject | null }>
const knownColumns = [...columns, Text, nullable(Type.Object({}, { additionalProperties: true }))] as const

/** At most this many printings are looked at for one key, in the order of their SKUs. */
export const mostForKey = 120

/** The cards of one key: each is one range of an index that is already in the order wanted. */
const branch = (letter: string, from: string, order = 'c.sku collate "C"'): string => `
  select asked.key, found.* from unnest($1::text[]) asked(key)
  cross join lateral (select ${selected} from ${from} order by ${order} limit substr(asked.key, 2, 3)::int) found
  where left(asked.key, 1) = '${letter}'`

const key = 'substr(asked.key, 5)'
// Texts that start with the key come before the key with the last character of Unicode behind it.
const starting = `c.printed_key >= ${key} and c.printed_key < ${key} || chr(1114111)`

const sql = [
  branch('p', `cards c where c.place_key = ${key}`),
  branch('n', `cards c where c.number_key = ${key}`),
  branch('w', `cards c where c.printed_key = ${key}`),
  branch('b', `cards c where ${starting}`, 'c.printed_key, c.sku collate "C"'),
  branch(
    't',
    `sets s join cards c on c.set_id = s.id and c.number_key = split_part(${key}, ':', 1) || ':' || split_part(${key}, ':', 3)
    where s.game = split_part(${key}, ':', 1) and s.declared_total = split_part(${key}, ':', 2)::int`
  )
].join(' union all ')

/**
 * Lookups of printings by the keys of `search-key.ts`. Keys asked in one turn of the event loop are one round trip;
 * failures are `SOURCE_UNAVAILABLE`.
 */
export class SearchIndex {
  readonly #cards: Loader<RowOf<typeof columns>>
  readonly #sets: Loader<RowOf<typeof knownColumns>>
  readonly #known: Loader<RowOf<typeof knownColumns>>

  constructor({ reader }: Pick<Database, 'reader'>) {
    this.#cards = reader.createLoader({ name: 'card_search', sql, columns, keyOf: row => row[0] })
    this.#sets = reader.createLoader({
      name: 'set_printings',
      sql: `select c.set_id::text, ${selected}, c.game, c.attributes from cards c where c.set_id = any($1::text[]::integer[])`,
      columns: knownColumns,
      keyOf: row => row[0]
    })
    this.#known = reader.createLoader({
      name: 'known_cards',
      sql: `select c.sku, ${selected}, c.game, c.attributes from cards c where c.sku = any($1::text[])`,
      columns: knownColumns,
      keyOf: row => row[0]
    })
  }

  /** The printings that are held of some SKUs, in the order of these. */
  async ofSkus(skus: readonly string[]): Promise<readonly KnownCard[]> {
    const rows = await Promise.all(skus.map(async sku => await this.#known.load(sku)))
    return rows.flatMap(row => (row === undefined ? [] : [knownOf(row)]))
  }

  /** All printings of a set, in no order. */
  async inSet({ id }: Readonly<{ id: number }>): Promise<readonly KnownCard[]> {
    return (await this.#sets.loadAll(String(id))).map(knownOf)
  }

  /**
   * The printings of each key, in the order of the keys and then of the SKUs; at most `most` for one key, of which
   * `mostForKey` is the most.
   */
  async find(keys: readonly string[], most = mostForKey): Promise<readonly (readonly FoundCard[])[]> {
    // Lookups are shared by their text, so the text says how many are wanted, behind the letter of the index.
    const wanted = String(most).padStart(3, '0')
    return await Promise.all(
      keys.map(async one => (await this.#cards.loadAll(one.slice(0, 1) + wanted + one.slice(1))).map(cardOf))
    )
  }
}

// Written out: a search makes over a hundred of these, and building them from a list of names costs ten times as much.
const cardOf = ([, sku, set_code, card_number, lang, variant, name, name_en, rarity, updated_at]: readonly [
  ...RowOf<typeof columns>,
  ...unknown[]
]): FoundCard => ({ sku, set_code, card_number, lang, variant, name, name_en, rarity, updated_at })

const knownOf = (row: RowOf<typeof knownColumns>): KnownCard => ({
  ...cardOf(row),
  game: row[10],
  attributes: row[11] as JsonObject | null
})
