import { Type, nullable, NullableText, Text, Texts, type JsonObject } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import { gameOf } from '../sku.ts'

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

const folded = new Map<string, string>()
/** Returns `foldNumber` of a text from a cache: a search compares few texts, in every game and with many cards. */
export function foldedNumber(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  if (folded.size > 20_000) folded.clear()
  const key = foldNumber(text)
  folded.set(text, key)
  return key
}

/**
 * Builds lookup keys. The first letter selects the index: `p` set and number, `n` number alone, `w` number as printed,
 * `b` beginning of the number as printed, `t` number in a set with a declared total.
 */
export const searchKey = {
  place: (game: string, setAndNumber: string): string => `p${game}:${foldedNumber(setAndNumber)}`,
  number: (game: string, number: string): string => `n${game}:${foldedNumber(number)}`,
  printed: (game: string, printed: string): string => `w${game}:${lower(printed)}`,
  beginning: (game: string, printed: string): string => `b${game}:${lower(printed)}`,
  total: (game: string, number: string, total: number): string => `t${game}:${String(total)}:${foldedNumber(number)}`
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

/** Returns SQL for the cards with a key in any game, which the key does not name: at most as many of each. */
const branchOfGames = (letter: string, column: string): string => `
  select asked.key, found.* from unnest($1::text[]) asked(key) cross join games g
  cross join lateral (
    select ${selected} from cards c where c.${column} = g.token || ':' || ${key}
    order by c.sku collate "C" limit substr(asked.key, 2, 3)::int) found
  where left(asked.key, 1) = '${letter}'`

const sql = [
  branchOfGames('P', 'place_key'),
  branchOfGames('N', 'number_key'),
  branchOfGames('W', 'printed_key'),
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
    return await Promise.all(keys.map(async one => (await this.#cards.loadAll(limited(one, most))).map(cardOf)))
  }

  /**
   * Returns the same as `find`, with one query for all keys: for many keys that no other request shares. What is asked
   * in several games is one key of the query.
   */
  async findEach(keys: readonly string[], most: number): Promise<readonly (readonly FoundCard[])[]> {
    const games = new Map<string, number>()
    for (const one of keys) games.set(withoutGame(one), (games.get(withoutGame(one)) ?? 0) + 1)
    const keyOfQuery = (one: string): string => ((games.get(withoutGame(one)) ?? 0) > 1 ? withoutGame(one) : one)
    const asked = [...new Set(keys.map(keyOfQuery))]
    const rows = await this.#cards.loadEach(asked.map(one => limited(one, most)))
    const found = new Map(asked.map((one, at) => [one, (rows[at] ?? []).map(cardOf)]))
    return keys.map(one => {
      const cards = found.get(keyOfQuery(one)) ?? []
      return keyOfQuery(one) === one ? cards : cards.filter(({ sku }) => gameOf(sku) === gameIn(one))
    })
  }
}

/** Returns the game that a key names. */
const gameIn = (key: string): string => key.slice(1, key.indexOf(':'))

/** Returns a key for all games that asks the same; other keys than those of numbers are returned as they are. */
const withoutGame = (key: string): string =>
  /^[pnw]/.test(key) ? key.charAt(0).toUpperCase() + key.slice(key.indexOf(':') + 1) : key

/** Returns a key of the loader, which has the limit after the letter: lookups with equal keys are shared. */
const limited = (key: string, most: number): string => key.slice(0, 1) + String(most).padStart(3, '0') + key.slice(1)

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
