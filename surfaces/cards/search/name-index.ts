import { Type, Text } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

/** The most characters of a name or search text that are compared. */
export const maxKeyLength = 80

/** Letters that Unicode does not decompose, with their replacements without a mark. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i'
}

/**
 * Returns the form in which names are compared: lower case, without diacritics on Latin, Greek and Cyrillic letters,
 * with compatibility characters (full width, ligatures) replaced (Unicode NFKD), without apostrophes, with one space
 * for each run of signs, and cut to `maxKeyLength`. `Monkey.D.Luffy` becomes `monkey d luffy`. Marks that make a
 * different letter, as in Japanese, stay.
 */
export const foldName = (text: string): string =>
  (/^[a-z0-9 ]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f'’ʼ`´]+/g, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/[ßæœøđðłþı]/g, letter => plain[letter] ?? letter)
        .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
  )
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxKeyLength)
    .trimEnd()

const signsOf = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, maxKeyLength).trimEnd()

/**
 * Returns the key by which names are looked up: the folded name, or the signs of a name without letters and digits,
 * such as `_____`.
 */
export const nameKey = (text: string): string => foldName(text) || signsOf(text)

/**
 * Whether a key is too short for a prefix search: one character, or only signs. Such a key matches only equal names.
 */
export const isWholeName = (key: string): boolean =>
  /^.?$/su.test(key.replaceAll(' ', '')) || !/[\p{L}\p{N}]/u.test(key)

/** Scripts without spaces between words, in which every character may begin a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

export const wordsOf = (folded: string): readonly string[] => (folded === '' ? [] : folded.split(' '))

/**
 * Returns the rest of a folded name from each word start, except the first. Rests that begin with a one-letter word are
 * left out.
 */
export function innerStarts(folded: string): readonly string[] {
  const starts: string[] = []
  for (let at = 1; at < folded.length - 1; at += 1) {
    const begins = folded.charAt(at - 1) === ' ' || (folded.charAt(at) !== ' ' && unspaced.test(folded.charAt(at)))
    if (begins && folded.charAt(at + 1) !== ' ') starts.push(folded.slice(at))
  }
  return [...new Set(starts)]
}

/**
 * Returns how many letters of a word may be wrong, missing, extra or swapped with a neighbour; 0 for a short word.
 * Words in unspaced scripts need fewer characters, because each carries more information.
 */
export const maxMistakesIn = (word: string): number =>
  word.length < (unspaced.test(word) ? 3 : 4) ? 0 : word.length < 7 ? 1 : 2

/**
 * Returns hashes of a word and of the word without each one of its letters. Two words that differ by one wrong,
 * missing, extra or swapped letter share a hash; unrelated words may share one too.
 */
export function deletionHashes(word: string): readonly number[] {
  const marks = new Set([fnv1a(word)])
  for (let at = 0; at < word.length; at += 1) marks.add(fnv1a(word.slice(0, at) + word.slice(at + 1)))
  return [...marks]
}

/** Returns the FNV-1a hash over UTF-16 code units, as the signed integer that the database stores. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 0
}

/** A name that starts with the search text, or has a later word that does (`isInner`). */
export type FoundName = Readonly<{
  id: number
  game: string
  name: string
  isInner: boolean
  printings: number
  /** The SKU of the first printing: English printings come first, then the order is by SKU. */
  sku: string
}>

const nameColumns = [Text, Type.Integer(), Text, Text, Type.Boolean(), Type.Integer(), Text] as const
const printingColumns = [Text, Text, Text, Text] as const
const wordColumns = [Text, Text] as const

/** A printing found by name, with its set and number. */
export type NamedPrinting = Readonly<{ sku: string; set_code: string; card_number: string }>

/**
 * The most printings that are read for one text, and the most names that are read for it, which usually have that many
 * printings.
 */
export const maxPrintings = 1000
export const maxNames = 300
/** The number of suggestions read, enough for ten different ones. */
const maxSuggestions = 12

// With a subquery, the planner does not estimate the number of keys, so it can reuse one generic plan. Planning for
// each request would take longer than the query.
const keys = 'unnest((select $1::text[])) k(key)'

/**
 * Returns SQL for the first names of the game or games that are asked for, by a range scan of the index: from the text
 * up to the text followed by U+10FFFF, the last code point.
 */
const starts = (isInner: boolean, most: number, condition = 'true'): string => `
  select s.* from games g cross join lateral (
    select n.name_id, n.is_inner, n.start from name_starts n
    where n.game = g.token and n.is_inner = ${String(isInner)} and n.start >= asked.text and n.start < asked.text || chr(1114111)
    order by n.start, n.name_id limit ${most}) s
  where asked.game in ('', g.token) and ${condition} order by s.start, s.name_id limit ${most}`

const namesSql = (most: number): string => `
  select asked.key, n.id, n.game, n.name, s.is_inner, cardinality(n.skus), n.skus[1]
  from (select key, split_part(key, ':', 1) as game, substr(key, strpos(key, ':') + 1) as text from ${keys}) asked
  cross join lateral (
    with whole as materialized (${starts(false, most)}), inside as (${starts(true, most, `(select count(*) from whole) < ${most}`)})
    select * from whole union all select * from inside order by is_inner, start, name_id limit ${most}) s
  cross join lateral (select * from card_names n where n.id = s.name_id limit 1) n
  order by s.is_inner, s.start, s.name_id`

const wordsSql = `
  select k.key, w.word from ${keys} cross join lateral (
    (select n.word from name_words n where n.marks && string_to_array(split_part(k.key, ':', 2), ',')::integer[] order by n.word limit 200)
    union select * from similar_words(split_part(k.key, ':', 1))
  ) w(word)`

const keyOf = (text: string, game: string | undefined): string => `${game ?? ''}:${text}`

const nameOf = ([, id, game, name, isInner, printings, sku]: RowOf<typeof nameColumns>): FoundName => ({
  id,
  game,
  name,
  isInner,
  printings,
  sku
})

/** Looks up names by keys of `nameKey`, in one game or all. Failures throw `SOURCE_UNAVAILABLE`. */
export class NameIndex {
  readonly #names: Loader<RowOf<typeof nameColumns>>
  readonly #suggestions: Loader<RowOf<typeof nameColumns>>
  readonly #printings: Loader<RowOf<typeof printingColumns>>
  readonly #words: Loader<RowOf<typeof wordColumns>>

  constructor({ reader }: Pick<Database, 'reader'>) {
    this.#names = reader.createLoader({
      name: 'names',
      sql: namesSql(maxNames),
      columns: nameColumns,
      keyOf: row => row[0]
    })
    this.#suggestions = reader.createLoader({
      name: 'name_suggestions',
      sql: namesSql(maxSuggestions),
      columns: nameColumns,
      keyOf: row => row[0]
    })
    this.#printings = reader.createLoader({
      name: 'name_printings',
      columns: printingColumns,
      keyOf: row => row[0],
      sql: `select n.id::text, c.sku, c.set_code, c.card_number from card_names n cross join lateral unnest(n.skus[1:${maxPrintings}]) with ordinality s(sku, place) join cards c on c.sku = s.sku
        where n.id = any($1::text[]::integer[]) order by n.id, s.place`
    })
    this.#words = reader.createLoader({ name: 'name_words', sql: wordsSql, columns: wordColumns, keyOf: row => row[0] })
  }

  /**
   * Returns names that start with the text, then those with a later word that does, each group in alphabetical order;
   * at most `maxNames` in all.
   */
  async startingWith(text: string, game?: string): Promise<readonly FoundName[]> {
    return (await this.#names.loadAll(keyOf(text, game))).map(nameOf)
  }

  /** Returns the first names of `startingWith`. A name appears twice when two of its words start with the text. */
  async suggested(text: string, game?: string): Promise<readonly FoundName[]> {
    return (await this.#suggestions.loadAll(keyOf(text, game))).map(nameOf)
  }

  /** Returns the printings with a name, at most `maxPrintings`. */
  async printingsOf({ id }: FoundName): Promise<readonly NamedPrinting[]> {
    return (await this.#printings.loadAll(String(id))).map(([, sku, set_code, card_number]) => ({
      sku,
      set_code,
      card_number
    }))
  }

  /**
   * Returns words of names that may be this word with a typing mistake: up to 200 that share a mark with it, and words
   * that PostgreSQL finds similar.
   */
  async nearTo(word: string): Promise<readonly string[]> {
    return (await this.#words.loadAll(`${word}:${deletionHashes(word).join(',')}`)).map(([, near]) => near)
  }
}
