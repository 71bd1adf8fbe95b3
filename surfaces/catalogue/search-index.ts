import { Type, nullable, NullableText, Text, type JsonObject } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

/** A printing found by its number. */
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
  /** A timestamp in ISO 8601. */
  updated_at: string
}>

// The columns that follow the key, in this order:
const columns = [Text, Text, Text, Text, Text, Text, NullableText, NullableText, NullableText, Text] as const
const selected =
  "c.sku, c.set_code, c.card_number, c.lang, c.variant, c.name, c.name_translations->>'en', c.rarity, c.updated_at"

/** A printing found by its SKU or its set. */
export type KnownCard = FoundCard & Readonly<{ game: string; attributes: JsonObject | null }>
const knownColumns = [...columns, Text, nullable(Type.Object({}, { additionalProperties: true }))] as const

/** The most printings returned for one key, in the order of their SKUs. */
export const mostForKey = 120

/** Returns SQL for the cards of one kind of key: an index range scan that is already in the requested order. */
const branch = (letter: string, from: string, order = 'c.sku collate "C"'): string => `
  select asked.key, found.* from unnest($1::text[]) asked(key)
  cross join lateral (select ${selected} from ${from} order by ${order} limit substr(asked.key, 2, 3)::int) found
  where left(asked.key, 1) = '${letter}'`

const key = 'substr(asked.key, 5)'
// A prefix match as a range: from the key up to the key followed by U+10FFFF, the last code point.
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
 * Looks up printings by the keys of `search-key.ts`. Keys requested in the same turn of the event loop share one query;
 * failures throw `SOURCE_UNAVAILABLE`.
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

  /** Returns the printings that exist among some SKUs, in their order. */
  async ofSkus(skus: readonly string[]): Promise<readonly KnownCard[]> {
    const rows = await Promise.all(skus.map(async sku => await this.#known.load(sku)))
    return rows.flatMap(row => (row === undefined ? [] : [knownOf(row)]))
  }

  /** Returns all printings of a set, in no particular order. */
  async inSet({ id }: Readonly<{ id: number }>): Promise<readonly KnownCard[]> {
    return (await this.#sets.loadAll(String(id))).map(knownOf)
  }

  /**
   * Returns the printings of each key, in the order of the keys and then of SKUs; at most `most` (up to `mostForKey`)
   * per key.
   */
  async find(keys: readonly string[], most = mostForKey): Promise<readonly (readonly FoundCard[])[]> {
    // The loader shares lookups with equal keys, so the limit is part of the key, after the letter of the index.
    const wanted = String(most).padStart(3, '0')
    return await Promise.all(
      keys.map(async one => (await this.#cards.loadAll(one.slice(0, 1) + wanted + one.slice(1))).map(cardOf))
    )
  }
}

// The fields are spelled out because a search builds over 100 of these objects, and a loop over names takes 10 times as
// long.
const cardOf = ([, sku, set_code, card_number, lang, variant, name, name_en, rarity, updated_at]: readonly [
  ...RowOf<typeof columns>,
  ...unknown[]
]): FoundCard => ({ sku, set_code, card_number, lang, variant, name, name_en, rarity, updated_at })

const knownOf = (row: RowOf<typeof knownColumns>): KnownCard => ({
  ...cardOf(row),
  game: row[10],
  attributes: row[11] as JsonObject | null
})
