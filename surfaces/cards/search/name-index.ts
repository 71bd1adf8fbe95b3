import { NullableText, Text, Type } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import { deletionHashes } from './fold-name.ts'

/** A name that has a word which is the search text, or starts with it. */
export type FoundName = Readonly<{
  id: number
  game: string
  name: string
  printings: number
  /** How many rows of `name_numbers` it has. */
  numbers: number
  /** The SKU of the first printing: English printings come first, then the order is by SKU. */
  sku: string
  /** The sources that observed its printings, sorted. */
  sources: readonly string[]
}>

/** The printings of one name, set and number that have the same words. */
export type NumberRow = Readonly<{
  id: number
  found: FoundName
  set_code: string
  card_number: string
  printings: number
  sku: string
  released_on: string | null
}>

/** A set that has a word in its code or name; `isCode`: it is the code. */
export type FoundSet = Readonly<{ id: number; isCode: boolean }>

const Sources = Type.Array(Text)
const nameColumns = [Text, Type.Integer(), Text, Text, Type.Integer(), Type.Integer(), Text, Sources] as const
const rowColumns = [Text, Type.Integer(), Type.Integer(), Text, Text, Type.Integer(), Text, NullableText] as const
const namedRowColumns = [...rowColumns, Text, Text, Sources] as const
const setColumns = [Text, Type.Integer(), Type.Boolean()] as const
const pairColumns = [Text, Text] as const
const keyColumn = [Text] as const
const countColumns = [Text, Type.Integer()] as const

/** The most rows that one search finds. */
export const maxNumbers = 2000
/** The most names that are read for one word. */
export const maxNames = 300
/** The most suggestions of one text. */
export const maxSuggestions = 10
/** The most rows of one name, set or number that are looked through. */
const mostRows = 5000
/** The most sets that one word selects. */
const maxSets = 100

// With a subquery, the planner does not estimate the number of keys, so it can reuse one generic plan. Planning for
// each request would take longer than the query.
const keys = 'unnest((select $1::text[])) k(key)'
const asked = `(select key, split_part(key, ':', 1) as game, substr(key, strpos(key, ':') + 1) as text from ${keys}) asked`

/**
 * Returns SQL for the starts of the game or games that are asked for, by range scans of the index, each of at most
 * `mostStarts`. `!` is the first character that no folded name contains, and U+10FFFF the last code point.
 */
const mostStarts = 1000
const starts = (from: string, to: string, condition = 'true'): string => `
  select s.* from games g cross join lateral (
    select n.name_id, n.printings, n.start = asked.text as is_equal from name_starts n
    where n.game = g.token and n.start >= ${from} and n.start < ${to}
    order by n.start, n.name_id limit ${mostStarts}) s
  where asked.game in ('', g.token) and ${condition}`

/** Names with the word as a whole come first, and among these the one that is equal; then those with more printings. */
const namesSql = (most: number): string => `
  select asked.key, n.id, n.game, n.name, n.printings, n.numbers, n.sku, n.sources
  from ${asked}
  cross join lateral (
    with whole as materialized (${starts('asked.text', "asked.text || '!'")}),
      begun as (${starts("asked.text || '!'", 'asked.text || chr(1114111)', `(select count(*) from whole) < ${most}`)})
    select name_id, min(place) as place, max(printings) as printings from (
      select name_id, printings, case when is_equal then 0 else 1 end as place from whole
      union all select name_id, printings, 2 from begun) s
    group by name_id order by 2, 3 desc, 1 limit ${most}) s
  cross join lateral (select * from card_names n where n.id = s.name_id limit 1) n
  order by s.place, s.printings desc, s.name_id`

/** Of the names that end in a text those that are it, which are the shortest, come first. */
const equalNamesSql = `
  select asked.key, n.id, n.game, n.name, n.printings, n.numbers, n.sku, n.sources
  from ${asked}
  cross join lateral (
    select n.* from games g cross join lateral (
      select s.name_id from name_starts s where s.game = g.token and s.start = asked.text
      order by s.start, s.name_id limit ${mostStarts}) s
    cross join lateral (select * from card_names n where n.id = s.name_id limit 1) n
    where asked.game in ('', g.token) order by length(n.name), n.printings desc, n.id limit 40) n`

const setsSql = `
  select asked.key, w.set_id, w.is_code from ${asked}
  cross join lateral (
    select w.* from games g join set_words w on w.game = g.token and w.word = asked.text
    where asked.game in ('', g.token) order by w.is_code desc, w.set_id desc limit ${maxSets}) w`

// The key is a JSON object: what selects the rows, and regular expressions of which a row must match all.
const selected = 'r.id, r.name_id, r.set_code, r.card_number, cardinality(r.skus), r.skus[1], r.released_on'
const wanted = `
  (select key, key::jsonb as asked, array(select jsonb_array_elements_text(key::jsonb->'words')) as words from ${keys}) k`
const ids = (name: string): string => `jsonb_array_elements_text(k.asked->'${name}') with ordinality chosen(id, place)`

/** With a limit of its own, the rows are read by an index first, and only these are compared. */
const rowsBy = (condition: string): string => `select * from name_numbers where ${condition} limit ${mostRows}`

const rowsOfNamesSql = `
  select k.key, ${selected} from ${wanted} cross join lateral (
    select r.* from ${ids('names')}
    cross join lateral (${rowsBy('name_id = chosen.id::int')}) r where r.words ~ all(k.words)
    order by chosen.place limit ${maxNumbers}) r`

const rowsOfSetsSql = `
  select k.key, ${selected}, n.game, n.name, n.sources from ${wanted} cross join lateral (
    select r.* from ${ids('sets')}
    cross join lateral (${rowsBy('set_id = chosen.id::int')}) r where r.words ~ all(k.words)
    union all
    select r.* from (${rowsBy("game = k.asked->>'game' and number = k.asked->>'number'")}) r where r.words ~ all(k.words)
    limit ${maxNumbers}) r
  cross join lateral (select * from card_names n where n.id = r.name_id limit 1) n`

// Of many neighbours, those that share the most marks with the word are the nearest.
const wordsSql = `
  select k.key, w.word from ${keys} cross join lateral (
    (select n.word from name_words n, (select string_to_array(split_part(k.key, ':', 2), ',')::integer[] as marks) asked
      where n.marks && asked.marks
      order by (select count(*) from unnest(n.marks) mark where mark = any(asked.marks)) desc, n.word limit 200)
    union select * from similar_words(split_part(k.key, ':', 1))
  ) w(word)`

const heldSql = `
  select asked.key from ${asked} where exists (
    select from games g cross join lateral (
      select from name_starts n where n.game = g.token and n.start >= left(asked.text, 1) and n.start < right(asked.text, 1) limit 1) n
    where asked.game in ('', g.token))`

/** Names of a game are counted up to this many times `maxNames`. */
export const mostCounted = 40

const countsSql = `
  select k.key, (select count(*)::int from (select from card_names where game = k.key limit ${mostCounted * maxNames}) n) from ${keys}`

const stopWordsSql = `select k.key from ${keys} where ts_lexize('english_stem', k.key) = '{}'`

const keyOf = (text: string, game: string | undefined): string => `${game ?? ''}:${text}`

const nameOf = ([, id, game, name, printings, numbers, sku, sources]: RowOf<typeof nameColumns>): FoundName => ({
  id,
  game,
  name,
  printings,
  numbers,
  sku,
  sources
})

const rowOf = (
  [, id, , set_code, card_number, printings, sku, released_on]: readonly [...RowOf<typeof rowColumns>, ...unknown[]],
  found: FoundName
): NumberRow => ({ id, found, set_code, card_number, printings, sku, released_on })

/** What selects rows that are not of a name: sets, or a number of a game. */
type Selection = Readonly<{ sets?: readonly number[]; game?: string; number?: string }>

/** Looks up names, and the numbers that have them, in one game or all. Failures throw `SOURCE_UNAVAILABLE`. */
export class NameIndex {
  readonly #names: Loader<RowOf<typeof nameColumns>>
  readonly #suggestions: Loader<RowOf<typeof nameColumns>>
  readonly #equal: Loader<RowOf<typeof nameColumns>>
  readonly #sets: Loader<RowOf<typeof setColumns>>
  readonly #rowsOfNames: Loader<RowOf<typeof rowColumns>>
  readonly #rowsOfSets: Loader<RowOf<typeof namedRowColumns>>
  readonly #skus: Loader<RowOf<typeof pairColumns>>
  readonly #words: Loader<RowOf<typeof pairColumns>>
  readonly #held: Loader<RowOf<typeof keyColumn>>
  readonly #counts: Loader<RowOf<typeof countColumns>>
  readonly #stopWords: Loader<RowOf<typeof keyColumn>>

  constructor({ reader }: Pick<Database, 'reader'>) {
    const keyOf = (row: readonly [string, ...unknown[]]): string => row[0]
    this.#names = reader.createLoader({ name: 'names', sql: namesSql(maxNames), columns: nameColumns, keyOf })
    this.#suggestions = reader.createLoader({
      name: 'name_suggestions',
      sql: namesSql(maxSuggestions),
      columns: nameColumns,
      keyOf
    })
    this.#equal = reader.createLoader({ name: 'equal_names', sql: equalNamesSql, columns: nameColumns, keyOf })
    this.#sets = reader.createLoader({ name: 'set_words', sql: setsSql, columns: setColumns, keyOf })
    this.#rowsOfNames = reader.createLoader({ name: 'name_numbers', sql: rowsOfNamesSql, columns: rowColumns, keyOf })
    this.#rowsOfSets = reader.createLoader({ name: 'set_names', sql: rowsOfSetsSql, columns: namedRowColumns, keyOf })
    this.#skus = reader.createLoader({
      name: 'name_printings',
      sql: `select n.id::text, s.sku from name_numbers n cross join lateral unnest(n.skus) s(sku)
        where n.id = any($1::text[]::integer[])`,
      columns: pairColumns,
      keyOf
    })
    this.#words = reader.createLoader({ name: 'name_words', sql: wordsSql, columns: pairColumns, keyOf })
    this.#held = reader.createLoader({ name: 'name_scripts', sql: heldSql, columns: keyColumn, keyOf })
    this.#counts = reader.createLoader({ name: 'name_counts', sql: countsSql, columns: countColumns, keyOf })
    this.#stopWords = reader.createLoader({ name: 'stop_words', sql: stopWordsSql, columns: keyColumn, keyOf })
  }

  /**
   * Returns names with the text as a word, then those with a word that starts with it, each group with those of more
   * printings first; at most `maxNames` in all.
   */
  async startingWith(text: string, game?: string): Promise<readonly FoundName[]> {
    return (await this.#names.loadAll(keyOf(text, game))).map(nameOf)
  }

  /** Returns the first names of `startingWith`. */
  async suggested(text: string, game?: string): Promise<readonly FoundName[]> {
    return (await this.#suggestions.loadAll(keyOf(text, game))).map(nameOf)
  }

  /** Returns for each text the shortest names that are it or end in it, at most 40, with one query. */
  async equalTo(texts: readonly string[], game?: string): Promise<readonly (readonly FoundName[])[]> {
    return (await this.#equal.loadEach(texts.map(text => keyOf(text, game)))).map(rows => rows.map(nameOf))
  }

  /** Returns sets with a word in their code or name, those with the code first. */
  async setsWith(word: string, game?: string): Promise<readonly FoundSet[]> {
    return (await this.#sets.loadAll(keyOf(word, game))).map(([, id, isCode]) => ({ id, isCode }))
  }

  /** Returns those of the words that are codes of sets, with one query. */
  async codesAmong(words: readonly string[], game?: string): Promise<ReadonlySet<string>> {
    const found = await this.#sets.loadEach(words.map(word => keyOf(word, game)))
    return new Set(words.filter((_, at) => found[at]?.some(([, , isCode]) => isCode) === true))
  }

  /**
   * Returns the rows of names that match all regular expressions, in the order of the names; at most `maxNumbers`.
   */
  async numbersOf(names: readonly FoundName[], words: readonly string[]): Promise<readonly NumberRow[]> {
    if (names.length === 0) return []
    const known = new Map(names.map(found => [found.id, found]))
    const key = JSON.stringify({ names: [...known.keys()], words })
    return (await this.#rowsOfNames.loadAll(key)).flatMap(row => {
      const found = known.get(row[2])
      return found === undefined ? [] : [rowOf(row, found)]
    })
  }

  /** Returns the rows of several lists of names, each as `numbersOf` does, with one query. */
  async numbersOfEach(lists: readonly (readonly FoundName[])[]): Promise<readonly (readonly NumberRow[])[]> {
    const known = new Map(lists.flat().map(found => [found.id, found]))
    const keys = lists.map(names => JSON.stringify({ names: names.map(({ id }) => id), words: [] }))
    const asked = [...new Set(keys)]
    const answers = await this.#rowsOfNames.loadEach(asked)
    const read = new Map(
      asked.map((key, at) => [
        key,
        (answers[at] ?? []).flatMap(row => {
          const found = known.get(row[2])
          return found === undefined ? [] : [rowOf(row, found)]
        })
      ])
    )
    return keys.map(key => read.get(key) ?? [])
  }

  /** Returns the rows of sets, or with a number, that match all regular expressions; at most `maxNumbers`. */
  async numbersIn(selection: Selection, words: readonly string[]): Promise<readonly NumberRow[]> {
    if (selection.sets?.length === 0) return []
    const rows = await this.#rowsOfSets.loadAll(JSON.stringify({ sets: [], ...selection, words }))
    return rows.map(row => {
      const [, , id, , , printings, sku, , game, name, sources] = row
      return rowOf(row, { id, game, name, printings, numbers: 1, sku, sources })
    })
  }

  /** Returns the SKUs of the printings of a row. */
  async skusOf({ id }: NumberRow): Promise<readonly string[]> {
    return (await this.#skus.loadAll(String(id))).map(([, sku]) => sku)
  }

  /** Returns the SKUs of the printings of each row, with one query. */
  async skusOfEach(rows: readonly NumberRow[]): Promise<readonly (readonly string[])[]> {
    return (await this.#skus.loadEach(rows.map(({ id }) => String(id)))).map(pairs => pairs.map(([, sku]) => sku))
  }

  /**
   * Returns words of names that may be this word with a typing mistake: up to 200 that share the most marks with it,
   * and words that PostgreSQL finds similar.
   */
  async nearTo(word: string): Promise<readonly string[]> {
    return (await this.#words.loadAll(`${word}:${deletionHashes(word).join(',')}`)).map(([, near]) => near)
  }

  /** Whether a name has a word that begins with a character between two, which are folded. */
  async holdsBetween(first: string, last: string, game?: string): Promise<boolean> {
    return (await this.#held.load(keyOf(first + last, game))) !== undefined
  }
  /** Returns how many names a game has, at most `mostCounted` times `maxNames`. */
  async countIn(game: string): Promise<number> {
    return (await this.#counts.load(game))?.[1] ?? 0
  }

  /** Whether PostgreSQL leaves a word out of English texts, as it does with `the` (its list `english.stop`). */
  async isStopWord(word: string): Promise<boolean> {
    return (await this.#stopWords.load(word)) !== undefined
  }
}
