import { Type, nullable, NullableText, Text, Texts, type JsonObject } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

/**
 * Returns the form in which card numbers are compared: ASCII letters become lower case, every run of other characters
 * that are not digits becomes one hyphen, leading zeros are dropped, and a hyphen stays only between two letters or two
 * digits. `OP01-001`, `op-01 1` and `OP1/1` become `op1-1`.
 */
export const foldNumber = (text: string): string =>
  /^[0-9]+$/.test(text)
    ? text.replace(/^0+(?=[0-9])/, '')
    : lower(text)
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/(^|[^0-9])0+([0-9])/g, '$1$2')
        .replace(/([a-z])-([0-9])/g, '$1$2')
        .replace(/([0-9])-([a-z])/g, '$1$2')
        .replace(/^-+|-+$/g, '')

/**
 * Builds lookup keys. The first letter selects the index: `p` set and number, `n` number alone, `w` number as printed,
 * `b` beginning of the number as printed, `t` number in a set with a declared total.
 */
export const searchKey = {
  place: (game: string, setAndNumber: string): string => `p${game}:${foldNumber(setAndNumber)}`,
  number: (game: string, number: string): string => `n${game}:${foldNumber(number)}`,
  printed: (game: string, printed: string): string => `w${game}:${lower(printed)}`,
  beginning: (game: string, printed: string): string => `b${game}:${lower(printed)}`,
  total: (game: string, number: string, total: number): string => `t${game}:${String(total)}:${foldNumber(number)}`
} as const

/** Lowers only A to Z, as the database does in the collation `C`. */
const lower = (text: string): string =>
  /^[ -~]*$/.test(text) ? text.toLowerCase() : text.replace(/[A-Z]/g, letter => letter.toLowerCase())

/**
 * Returns the columns `place_key`, `number_key` and `printed_key` of a card, by which it is searched within its game.
 * The first two are made from the SKU, in which the number lacks the part that it shares with the set.
 */
export function searchColumns({
  sku,
  game,
  card_number: printed
}: Readonly<{ sku: string; game: string; card_number: string }>): [place: string, number: string, printed: string] {
  const [, set = '', number = ''] = (sku.includes('~') ? sku.replace(/~[0-9a-f]{2}/g, '.') : sku).split('-', 3)
  const key = foldNumber(number)
  return [`${game}:${joined(foldSet(set), key)}`, `${game}:${key}`, `${game}:${lower(printed)}`]
}

/** The last set and its key. Consecutive cards usually belong to the same set, so the key is reused. */
let latest = { set: '', key: '' }

function foldSet(set: string): string {
  if (latest.set !== set) latest = { set, key: foldNumber(set) }
  return latest.key
}

/** Joins two texts of `foldNumber`; a hyphen is put between them only if both sides are letters or both are digits. */
function joined(set: string, number: string): string {
  if (set === '' || number === '') return set + number
  return /[0-9]$/.test(set) === /^[0-9]/.test(number) ? `${set}-${number}` : set + number
}

/** A printing found by its number. */
export type FoundCard = Readonly<{
  sku: string
  set_code: string
  /** The number as printed. */
  card_number: string
  lang: string
  /** An empty string for the ordinary printing. */
  variant: string
  name: string | null
  name_en: string | null
  rarity: string | null
  /** When the card last changed (ISO 8601). */
  updated_at: string
  /** Those that observed it, sorted. */
  sources: readonly string[]
}>

// The types of the columns: the key, then those of `selected`.
const columns = [Text, Text, Text, Text, Text, Text, NullableText, NullableText, NullableText, Text, Texts] as const
const selected =
  "c.sku, c.set_code, c.card_number, c.lang, c.variant, c.name, c.name_translations->>'en', c.rarity, c.updated_at, c.sources"

/** A printing, as a lookup by SKU or by set returns it. */
export type KnownCard = FoundCard & Readonly<{ game: string; attributes: JsonObject | null }>
const knownColumns = [...columns, Text, nullable(Type.Object({}, { additionalProperties: true }))] as const

/** The most printings returned for one key. */
export const maxPerKey = 120

/**
 * Returns SQL for the cards of one kind of key. Except for `t`, it is an index range scan that is already in the
 * requested order.
 */
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
 * Looks up printings by keys of `searchKey`, by SKU or by set. Requests in the same turn of the event loop share one
 * query; failures throw `SOURCE_UNAVAILABLE`.
 */
export class NumberIndex {
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
   * Returns the printings of each key, in the order of the keys and then of SKUs (for a beginning, of numbers as
   * printed before SKUs); at most `most` (up to `maxPerKey`) for each key.
   */
  async find(keys: readonly string[], most = maxPerKey): Promise<readonly (readonly FoundCard[])[]> {
    // The loader shares lookups with equal keys, so the limit is part of the key, after the letter of the index.
    const wanted = String(most).padStart(3, '0')
    return await Promise.all(
      keys.map(async one => (await this.#cards.loadAll(one.slice(0, 1) + wanted + one.slice(1))).map(cardOf))
    )
  }
}

// The fields are spelled out because a search builds over 100 of these objects, and a loop over names takes 10 times as
// long.
const cardOf = ([, sku, set_code, card_number, lang, variant, name, name_en, rarity, updated_at, sources]: readonly [
  ...RowOf<typeof columns>,
  ...unknown[]
]): FoundCard => ({ sku, set_code, card_number, lang, variant, name, name_en, rarity, updated_at, sources })

const knownOf = (row: RowOf<typeof knownColumns>): KnownCard => ({
  ...cardOf(row),
  game: row[11],
  attributes: row[12] as JsonObject | null
})
