import { nullable, NullableText, Text, Texts, Type, type JsonObject } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import { searchKey, type KnownCard } from './number-index.ts'

/** A printing with everything that a query may ask of it. */
export type QueriedCard = KnownCard &
  Readonly<{
    set_id: number
    /** The names of its set in any language. */
    set_names: readonly string[]
    /** The day of its set (ISO 8601). */
    released_on: string | null
    /** Its names in any language. */
    names: readonly string[]
    illustrators: readonly string[]
  }>

const Translations = nullable(Type.Record(Text, Text))
const columns = [
  Text,
  Text,
  Text,
  Text,
  Text,
  Text,
  NullableText,
  Translations,
  NullableText,
  nullable(Texts),
  nullable(Type.Object({}, { additionalProperties: true })),
  Text,
  Texts,
  Text,
  Type.Integer(),
  NullableText,
  Translations,
  NullableText
] as const
const selected = `k.key, c.sku, c.set_code, c.card_number, c.lang, c.variant, c.name, c.name_translations, c.rarity, c.illustrators,
  c.attributes, c.updated_at, c.sources, c.game, s.id, s.name, s.name_translations, s.released_on`

// A key is a JSON object; each statement reads as many rows as its `most` at most.
const asked = '(select key, key::jsonb as asked from unnest((select $1::text[])) k(key)) k'
const most = "(k.asked->>'most')::int"
const setOf = 'cross join lateral (select * from sets s where s.id = c.set_id limit 1) s'

/** The SKUs are counted in the rows of names, which are small, before the cards are read. */
const byNameSql = `
  select ${selected} from ${asked} cross join lateral (
    select p.sku, chosen.place, n.id, p.at
    from jsonb_array_elements_text(k.asked->'names') with ordinality chosen(name, place)
    cross join lateral (
      select id, skus from name_numbers where name_id = chosen.name::int
        and (k.asked->'sets' is null or set_id = any(array(select jsonb_array_elements_text(k.asked->'sets')::int)))
      order by id limit ${most}) n
    cross join lateral unnest(n.skus) with ordinality p(sku, at)
    order by 2, 3, 4 limit ${most}) p
  cross join lateral (select * from cards c where c.sku = p.sku limit 1) c ${setOf}`

/** Returns SQL for the cards whose column is one of those asked for, in the order of these. */
const cardsBy = (column: 'set_id' | 'place_key' | 'number_key' | 'printed_key', type: 'int' | 'text'): string => `
    select c.* from jsonb_array_elements_text(k.asked->'${column}') with ordinality chosen(key, place)
    cross join lateral (select * from cards c where c.${column} = chosen.key::${type} order by c.sku limit ${most}) c
    order by chosen.place limit ${most}`

const bySetSql = `select ${selected} from ${asked} cross join lateral (${cardsBy('set_id', 'int')}) c ${setOf}`

const numberKeys = ['place_key', 'number_key', 'printed_key'] as const
const byNumberSql = `
  select ${selected} from ${asked} cross join lateral (
    (${numberKeys.map(column => cardsBy(column, 'text')).join(') union all (')}) limit ${most}) c ${setOf}`

/** The printings with a SKU, then those of rows of `name_numbers`, in the order in which they are asked for. */
const ofPrintingsSql = `
  select ${selected} from ${asked} cross join lateral (
    select sku, 0 as place, at from jsonb_array_elements_text(k.asked->'skus') with ordinality one(sku, at)
    union all
    select p.sku, chosen.place, p.at
    from jsonb_array_elements_text(k.asked->'rows') with ordinality chosen(id, place)
    cross join lateral (select skus from name_numbers where id = chosen.id::int limit 1) n
    cross join lateral unnest(n.skus) with ordinality p(sku, at)
    order by 2, 3 limit ${most}) p
  cross join lateral (select * from cards c where c.sku = p.sku limit 1) c ${setOf}`

const textsOf = (one: string | null, others: Readonly<Record<string, string>> | null): readonly string[] => [
  ...new Set([...(one === null ? [] : [one]), ...Object.values(others ?? {})])
]

function cardOf([
  ,
  sku,
  set_code,
  card_number,
  lang,
  variant,
  name,
  translations,
  rarity,
  illustrators,
  attributes,
  updated_at,
  sources,
  game,
  set_id,
  setName,
  setTranslations,
  released_on
]: RowOf<typeof columns>): QueriedCard {
  return {
    sku,
    set_code,
    card_number,
    lang,
    variant,
    name,
    name_en: translations?.['en'] ?? null,
    rarity,
    updated_at,
    sources,
    game,
    attributes: attributes as JsonObject | null,
    set_id,
    set_names: textsOf(setName, setTranslations),
    released_on,
    names: textsOf(name, translations),
    illustrators: illustrators ?? []
  }
}

/** Reads printings for queries, a bounded number for each of its calls. Failures throw `SOURCE_UNAVAILABLE`. */
export class QueryIndex {
  readonly #byName: Loader<RowOf<typeof columns>>
  readonly #bySet: Loader<RowOf<typeof columns>>
  readonly #byNumber: Loader<RowOf<typeof columns>>
  readonly #ofPrintings: Loader<RowOf<typeof columns>>

  constructor({ reader }: Pick<Database, 'reader'>) {
    const keyOf = (row: RowOf<typeof columns>): string => row[0]
    this.#byName = reader.createLoader({ name: 'queried_names', sql: byNameSql, columns, keyOf })
    this.#bySet = reader.createLoader({ name: 'queried_sets', sql: bySetSql, columns, keyOf })
    this.#byNumber = reader.createLoader({ name: 'queried_numbers', sql: byNumberSql, columns, keyOf })
    this.#ofPrintings = reader.createLoader({ name: 'queried_printings', sql: ofPrintingsSql, columns, keyOf })
  }

  /** Returns the first `most` printings with names, in their order; only those in `sets` where these are given. */
  async ofNames(
    names: readonly number[],
    sets: readonly number[] | undefined,
    most: number
  ): Promise<readonly QueriedCard[]> {
    if (names.length === 0 || sets?.length === 0) return []
    return (await this.#byName.loadAll(JSON.stringify({ names, sets, most }))).map(cardOf)
  }

  /** Returns the first `most` printings of sets. */
  async ofSets(sets: readonly number[], most: number): Promise<readonly QueriedCard[]> {
    return sets.length === 0 ? [] : (await this.#bySet.loadAll(JSON.stringify({ set_id: sets, most }))).map(cardOf)
  }

  /** Returns the first `most` printings of games with a number, alone or with its set, or as it is printed. */
  async ofNumber(games: readonly string[], number: string, most: number): Promise<readonly QueriedCard[]> {
    const keys = (keyOf: (game: string, number: string) => string): readonly string[] =>
      games.map(game => keyOf(game, number).slice(1))
    const asked = {
      place_key: keys(searchKey.place),
      number_key: keys(searchKey.number),
      printed_key: keys(searchKey.printed)
    }
    return (await this.#byNumber.loadAll(JSON.stringify({ ...asked, most }))).map(cardOf)
  }

  /** Returns the first `most` printings of SKUs and of rows of the index of names, by their ids. */
  async ofPrintings(
    asked: Readonly<{ skus: readonly string[]; rows: readonly number[] }>,
    most: number
  ): Promise<readonly QueriedCard[]> {
    if (asked.skus.length + asked.rows.length === 0) return []
    return (await this.#ofPrintings.loadAll(JSON.stringify({ ...asked, most }))).map(cardOf)
  }
}
