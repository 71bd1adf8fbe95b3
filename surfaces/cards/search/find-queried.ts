import { invalid, type JsonValue } from 'pantry/data'
import type { GameDirectory } from '../games.ts'
import { naturalOrder } from '../numbers.ts'
import type { CompiledQuery, Selection, Sort } from './compile-query.ts'
import { compact, foldName, nameKey, unspaced, wordsOf } from './fold-name.ts'
import { findNames } from './match-names.ts'
import { maxNumbers, mostCounted, type FoundName, type NameIndex } from './name-index.ts'
import { foldNumber } from './number-index.ts'
import { queryError, type Term } from './query-text.ts'
import type { QueriedCard, QueryIndex } from './query-index.ts'

/** The most printings that are read for a query. */
export const maxRead = 6000
/** The most matches that a query pages through. */
export const maxMatches = maxNumbers

export const groupings = ['card', 'printing'] as const
type Grouping = (typeof groupings)[number]

/** A match: the first of its printings in the order that is asked for, and how many there are. */
type Match = Readonly<{ card: QueriedCard; printings: number }>

type QueriedPage = Readonly<{
  matches: readonly Match[]
  /** The first match of all pages. */
  best: QueriedCard | undefined
  found: number
  printings: number
  /** Why not all that is held was looked at or is shown; undefined for a whole answer. */
  cut: string | undefined
  /** The cursor of the next page. */
  next: string | undefined
}>

type Services = Readonly<{ names: NameIndex; queries: QueryIndex; games: GameDirectory }>
type Read = Readonly<{ cards: readonly QueriedCard[]; more: boolean }>

const count = (number: number): string => number.toLocaleString('en')

/** The sets that one word finds at most, see `NameIndex`. */
const maxSets = 100
/** The fewest letters of a beginning of a word by which names are found. */
const fewestBegun = 4
/** The fewest letters of the words of a set that select it. */
const fewestOfSet = 5
/** A word that more than one in `mostCounted` names of a game have does not select, unless so few names have it. */
const fewNames = 20

/**
 * Returns the ids of the sets with a code, or with all words of a text in their names. `selected`: those that the text
 * alone may list, which are the ones with the code, and one with the words.
 */
async function setsOf(
  index: NameIndex,
  value: string,
  game: string | undefined
): Promise<Readonly<{ ids: readonly number[]; selected: readonly number[]; more: boolean }>> {
  const codes = [...new Set([compact(foldName(value)), foldNumber(value)])].filter(code => code !== '')
  const [byCode, byWord] = await Promise.all(
    [codes, wordsOf(foldName(value))].map(words => Promise.all(words.map(word => index.setsWith(word, game))))
  )
  const [first = [], ...others] = byWord ?? []
  const coded = (byCode ?? []).flat().filter(({ isCode }) => isCode)
  const named = first.filter(({ id }) => others.every(sets => sets.some(set => set.id === id)))
  const idsOf = (sets: typeof named): readonly number[] => [...new Set(sets.map(({ id }) => id))]
  const isName = idsOf(named).length === 1 && (unspaced.test(value) || compact(foldName(value)).length >= fewestOfSet)
  return {
    ids: idsOf([...coded, ...named]),
    selected: idsOf(isName ? [...coded, ...named] : coded),
    more: (byWord ?? []).some(sets => sets.length >= maxSets)
  }
}

/** Throws if words that are no whole name are in so many names of a game that they would list it, or in any text. */
async function requireTelling(
  found: readonly FoundName[],
  terms: readonly Term[],
  { names: index, games }: Pick<Services, 'names' | 'games'>
): Promise<void> {
  const [first] = terms
  if (first === undefined || terms.some(({ operator }) => operator === '=')) return
  const advice = 'too many to select cards. Add another word of the name, a set or a number.'
  const words = terms.flatMap(({ value }) => wordsOf(nameKey(value)))
  if ((await Promise.all(words.map(word => index.isStopWord(word)))).every(isStopWord => isStopWord))
    throw queryError(first.place, `\`${first.place.token}\` is in names of any kind, ${advice}`)
  if (found.length <= fewNames) return
  for (const game of new Set(found.map(({ game }) => game))) {
    const having = found.filter(one => one.game === game).length
    if (having > Math.max(fewNames, (await index.countIn(game)) / mostCounted))
      throw queryError(
        first.place,
        `\`${first.place.token}\` is in ${count(having)} names of ${games.find(game)?.name ?? game}, ${advice}`
      )
  }
}

/** Reads the printings that one selection selects, at most `most`. */
async function read(services: Services, { game, names, sets, numbers }: Selection, most: number): Promise<Read> {
  const { names: index, queries, games } = services
  const found = await Promise.all(sets.map(({ value }) => setsOf(index, value, game)))
  const [first, ...others] = found.map(({ ids }) => ids)
  const ids = first?.filter(id => others.every(other => other.includes(id)))
  const isCut = found.some(({ more }) => more)
  const readBy = (cards: readonly QueriedCard[], more = false): Read => ({
    cards,
    more: more || isCut || cards.length >= most
  })
  if (names.length > 0) {
    const text = nameKey(names.map(({ value }) => value).join(' '))
    const { matches, more } = await findNames(index, text, game)
    const mayBegin = wordsOf(text).every(word => word.length >= fewestBegun || unspaced.test(word))
    const found = matches.filter(({ fit }) => mayBegin || fit.begun === 0).map(match => match.found)
    if (ids === undefined) await requireTelling(found, names, services)
    return readBy(
      await queries.ofNames(
        found.map(({ id }) => id),
        ids,
        most
      ),
      more
    )
  }
  const [set] = sets
  if (set !== undefined && ids !== undefined) {
    const selected = ids.filter(id => found.some(one => one.selected.includes(id)))
    if (selected.length === 0 && ids.length > 0)
      throw queryError(
        set.place,
        `\`${set.place.token}\` names no set alone: ${isCut ? 'more than ' : ''}${count(ids.length)} have such a name. Write the code of one, more of its name or a game.`
      )
    return readBy(await queries.ofSets(selected, most))
  }
  const tokens = game === undefined ? games.all.map(({ token }) => token) : [game]
  return readBy(await queries.ofNumber(tokens, numbers[0] ?? '', most))
}

/** The values by which matches are sorted. The last one is the SKU, so that the order is total. */
type Position = readonly (string | number | null)[]

const nameIn = ({ name, name_en: english }: QueriedCard): string => foldName(english ?? name ?? '')

const positionOf = (card: QueriedCard, sorts: readonly Sort[]): Position => [
  ...sorts.map(({ field }) => field.valuesOf(card)[0] ?? null),
  nameIn(card),
  card.game,
  card.set_code,
  card.card_number,
  card.lang === 'en' ? 0 : 1,
  card.sku
]

const compareValues = (a: string | number | null, b: string | number | null): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1
  return naturalOrder(a ?? '', b ?? '')
}

/** Compares positions: numbers before texts, what is missing last. */
function comparePositions(a: Position, b: Position, sorts: readonly Sort[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? null
    if (one === other) continue
    if (one === null || other === null) return one === null ? 1 : -1
    const order = compareValues(one, other)
    if (order !== 0) return sorts[at]?.isDescending === true ? -order : order
  }
  return 0
}

const encode = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url')

/** Returns the position of a cursor of `next`. Throws for a text that is none, or one of another order. */
function decode(cursor: string, length: number): Position {
  let values: JsonValue = null
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as JsonValue
  } catch {
    // Refused below.
  }
  const isPosition =
    Array.isArray(values) &&
    values.length === length &&
    values.every(value => value === null || typeof value === 'string' || typeof value === 'number')
  if (isPosition && encode(values as Position) === cursor) return values as Position
  throw invalid('cursor', '`cursor` is none that this query gave: take the one of `next`, or none for the first page.')
}

/** Returns what printings of one card share: the number; in games whose numbers are those of sets, the set too. */
export const cardKey = (
  { game, set_code: set, card_number: number }: Pick<QueriedCard, 'game' | 'set_code' | 'card_number'>,
  games: GameDirectory
): string => (games.find(game)?.numbers === 'game' ? `${game}\n${foldNumber(number)}` : `${game}\n${set}\n${number}`)

/** All matches of a query in the order of their first printings, each with all of its printings. */
type QueriedMatches = Readonly<{
  matches: readonly Readonly<{ card: QueriedCard; position: Position; printings: readonly QueriedCard[] }>[]
  cut: string | undefined
}>

/**
 * Runs a query: reads the printings that it selects, and keeps those that it asks for. The order is that of `sort`,
 * then of names, sets, numbers and SKUs. At most `maxRead` printings are read and `maxMatches` matches found.
 */
export async function findAllQueried(
  services: Services,
  { selections, filter, sorts }: CompiledQuery,
  by: Grouping
): Promise<QueriedMatches> {
  const most = Math.floor(maxRead / selections.length)
  const parts = await Promise.all(selections.map(selection => read(services, selection, most)))
  const cards = new Map(parts.flatMap(part => part.cards).map(card => [card.sku, card]))
  const sorted = [...cards.values()]
    .filter(filter)
    .map(card => ({ card, position: positionOf(card, sorts) }))
    .sort((a, b) => comparePositions(a.position, b.position, sorts))
  const groups = new Map<string, { card: QueriedCard; position: Position; printings: QueriedCard[] }>()
  for (const { card, position } of sorted) {
    const key = by === 'card' ? cardKey(card, services.games) : card.sku
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { card, position, printings: [card] })
    else known.printings.push(card)
  }
  const isReadCut = parts.some(({ more }) => more)
  const cut = isReadCut
    ? `Only ${count(maxRead)} printings are read for a query, and more may be meant. Write a narrower query: more of the name, a set or a game.`
    : groups.size > maxMatches
      ? `Only ${count(maxMatches)} matches are shown of a query, and there are more. Write a narrower query: more of the name, a set or a game.`
      : undefined
  return { matches: [...groups.values()].slice(0, maxMatches), cut }
}

/** Runs a query, and returns the page of its matches behind `cursor`. */
export async function findQueried(
  services: Services,
  query: CompiledQuery,
  { by, limit, cursor }: Readonly<{ by: Grouping; limit: number; cursor?: string | undefined }>
): Promise<QueriedPage> {
  const { sorts } = query
  const after = cursor === undefined ? undefined : decode(cursor, sorts.length + 6)
  const { matches: found, cut } = await findAllQueried(services, query, by)
  const rest =
    after === undefined ? found : found.filter(({ position }) => comparePositions(position, after, sorts) > 0)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    matches: shown.map(({ card, printings: { length } }) => ({ card, printings: length })),
    best: found[0]?.card,
    found: found.length,
    printings: found.reduce((sum, { printings: { length } }) => sum + length, 0),
    cut,
    next: last === undefined || rest.length <= limit ? undefined : encode(last.position)
  }
}
