import { editDistance } from 'pantry/data'
import { naturalOrder } from '../numbers.ts'
import {
  foldName,
  innerStarts,
  isWholeName,
  maxMistakesIn,
  maxNames,
  maxPrintings,
  nameKey,
  wordsOf,
  type FoundName,
  type NamedPrinting,
  type NameIndex
} from './name-index.ts'
import type { KnownCard, NumberIndex } from './number-index.ts'

/** The reasons for a match by name, by confidence. */
export const nameReasons = {
  exact: ['name matched'],
  fuzzy: [
    'name starts with the text',
    'a word of the name starts with the text',
    'words of the name matched',
    'words of the name matched but for a mistake'
  ]
} as const

type NameVerdict = Readonly<
  | { confidence: 'exact'; reason: (typeof nameReasons.exact)[number] }
  | { confidence: 'fuzzy'; reason: (typeof nameReasons.fuzzy)[number] }
>
type NameMatch = Readonly<{ found: FoundName } & NameVerdict>
/** The matches; `more`: whether there may be further names that were not read. */
type NameMatches = Readonly<{ matches: readonly NameMatch[]; more: boolean }>

const [matched] = nameReasons.exact
const [beginning, inner, allWords, mistaken] = nameReasons.fuzzy

function judge(text: string, found: FoundName): NameMatch {
  if (nameKey(found.name) === text) return { found, confidence: 'exact', reason: matched }
  return { found, confidence: 'fuzzy', reason: found.isInner ? inner : beginning }
}

/** Removes names with an id that occurs before; names of different games have different ids. */
function uniqueById(names: readonly FoundName[]): readonly FoundName[] {
  const seen = new Set<number>()
  return names.filter(({ id }) => seen.size < seen.add(id).size)
}

/** For a text too short to be a beginning, keeps only names equal to it. */
const meant = (text: string, names: readonly FoundName[]): readonly FoundName[] =>
  isWholeName(text) ? names.filter(({ name }) => nameKey(name) === text) : names

/**
 * Returns suggestions in the order of the index: names that start with the text, exact ones first, then names with a
 * word that starts with it.
 */
export async function completeName(index: NameIndex, text: string, game?: string): Promise<readonly NameMatch[]> {
  return uniqueById(meant(text, await index.suggested(text, game))).map(found => judge(text, found))
}

/** A word of the names that a search word may mean, with the number of typing mistakes between the two. */
type Reading = Readonly<{ word: string; mistakes: number }>

async function readingsOf(index: NameIndex, word: string): Promise<readonly Reading[]> {
  const limit = maxMistakesIn(word)
  const near = limit === 0 ? [] : await index.nearTo(word)
  const others = near
    .map(one => ({ word: one, mistakes: editDistance(word, one, limit) }))
    .filter(({ mistakes }) => mistakes > 0 && mistakes <= limit)
  return [{ word, mistakes: 0 }, ...others.sort((a, b) => a.mistakes - b.mistakes || (a.word < b.word ? -1 : 1))]
}

/** The most readings of one word that are looked up. */
const maxReadings = 12

/**
 * Returns the total number of typing mistakes if each search word begins some word of the name, or is one but for
 * mistakes; `undefined` if one is neither.
 */
function mistakesAgainst(name: string, words: readonly (readonly Reading[])[]): number | undefined {
  const folded = foldName(name)
  const places = [folded, ...innerStarts(folded), ...wordsOf(folded)]
  let sum = 0
  for (const readings of words) {
    const reading = readings.find(({ word, mistakes }) =>
      places.some(place => (mistakes === 0 ? place.startsWith(word) : wordsOf(place)[0] === word))
    )
    if (reading === undefined) return undefined
    sum += reading.mistakes
  }
  return sum
}

/**
 * Finds names that contain all words of the text in any order, also with typing mistakes. Only the longest word (in up
 * to `maxReadings` readings) and the next longest (as written) are looked up; the results are checked for the other
 * words.
 */
async function similarNames(index: NameIndex, text: string, game?: string): Promise<NameMatches> {
  const readings = await Promise.all([...new Set(wordsOf(text))].map(async word => await readingsOf(index, word)))
  const [longest = [], next = []] = [...readings].sort((a, b) => (b[0]?.word.length ?? 0) - (a[0]?.word.length ?? 0))
  const answers = await Promise.all(
    [...longest.slice(0, maxReadings), ...next.slice(0, 1)].map(
      async ({ word }) => await index.startingWith(word, game)
    )
  )
  const ranked = uniqueById(answers.flat()).flatMap(found => {
    const mistakes = mistakesAgainst(found.name, readings)
    return mistakes === undefined ? [] : [{ found, mistakes }]
  })
  // Among names with equally many mistakes, those with more printings come first.
  ranked.sort((a, b) => a.mistakes - b.mistakes || b.found.printings - a.found.printings)
  return {
    matches: ranked
      .slice(0, maxNames)
      .map(({ found, mistakes }) => ({ found, confidence: 'fuzzy', reason: mistakes === 0 ? allWords : mistaken })),
    more: ranked.length > maxNames || answers.some(names => names.length >= maxNames)
  }
}

/**
 * Finds names in any language by a key of `nameKey`: exact ones, then names that start with it, then names with a word
 * that does. Only if these find nothing, words in any order and typing mistakes are considered. A single character or a
 * text of only signs finds only names equal to it.
 */
export async function findNames(index: NameIndex, text: string, game?: string): Promise<NameMatches> {
  const names = meant(text, await index.startingWith(text, game))
  return names.length > 0 || isWholeName(text)
    ? { matches: uniqueById(names).map(found => judge(text, found)), more: names.length >= maxNames }
    : await similarNames(index, text, game)
}

/** A card number, the name match by which it was found, the first of its printings found, and how many there are. */
type NamedNumber = Readonly<{ match: NameMatch; first: NamedPrinting; printings: number }>
type NamedCard = Readonly<{ card: KnownCard; name: string; printings: number } & NameVerdict>

type NameQuery = Readonly<{
  /** The name that is searched, as a key of `nameKey`. */
  text: string
  game?: string | undefined
  /** Selects the printings that are wanted. */
  filter?: ((attributes: KnownCard['attributes']) => boolean) | undefined
  /** The page of the found card numbers: `offset` is the index of the first, `limit` the most that it has. */
  offset: number
  limit: number
}>

/** A page of cards, and counts of everything that was found. */
type NamedCards = Readonly<{
  cards: readonly NamedCard[]
  best: Readonly<{ sku: string; confidence: NameVerdict['confidence'] }> | undefined
  /** The number of card numbers found, and of their printings. */
  found: number
  printings: number
  /** Whether all matching names and printings were read. */
  isComplete: boolean
}>

/** Returns the first names that together have at least `most` printings, or all names if they have fewer. */
function namesCovering(matches: readonly NameMatch[], most: number): readonly NameMatch[] {
  let sum = 0
  const end = matches.findIndex(({ found }) => (sum += found.printings) >= most)
  return end === -1 ? matches : matches.slice(0, end + 1)
}

type Found = Readonly<{ match: NameMatch; printing: NamedPrinting }>

/**
 * Reads the printings of the names, up to `maxPrintings`, each with the first name that matched it; `isComplete` says
 * whether these are all.
 */
async function printingsOf(
  names: NameIndex,
  matches: readonly NameMatch[]
): Promise<Readonly<{ printings: ReadonlyMap<string, Found>; isComplete: boolean }>> {
  const first = namesCovering(matches, maxPrintings)
  const lists = await Promise.all(first.map(async ({ found }) => await names.printingsOf(found)))
  const printings = new Map<string, Found>()
  for (const [at, match] of first.entries()) {
    for (const printing of lists[at] ?? []) {
      if (printings.has(printing.sku)) continue
      if (printings.size === maxPrintings) return { printings, isComplete: false }
      printings.set(printing.sku, { match, printing })
    }
  }
  return {
    printings,
    isComplete: first.length === matches.length && first.every(({ found }) => found.printings <= maxPrintings)
  }
}

const byPlace = ({ first: a }: NamedNumber, { first: b }: NamedNumber): number =>
  naturalOrder(a.set_code, b.set_code) || naturalOrder(a.card_number, b.card_number)

/**
 * Groups printings by matched name, set and number, in the order of the names and then in natural order. The order is
 * total, so that pages do not overlap.
 */
function numbersOf(printings: Iterable<Found>): readonly NamedNumber[] {
  const groups = new Map<NameMatch, Map<string, NamedNumber>>()
  for (const { match, printing } of printings) {
    const group = groups.get(match) ?? new Map<string, NamedNumber>()
    groups.set(match, group)
    const place = `${printing.set_code}\n${printing.card_number}`
    const known = group.get(place)
    group.set(place, { match, first: known?.first ?? printing, printings: (known?.printings ?? 0) + 1 })
  }
  return [...groups.values()].flatMap(group => [...group.values()].sort(byPlace))
}

/**
 * Finds cards by a name; printings of one number with the same matched name count as one card. Only the cards of the
 * page are read in full, unless a filter needs the attributes of all.
 */
export async function findNamedCards(
  names: NameIndex,
  cards: NumberIndex,
  { text, game, filter, offset, limit }: NameQuery
): Promise<NamedCards> {
  const found = await findNames(names, text, game)
  const { printings, isComplete } = await printingsOf(names, found.matches)
  const wanted =
    filter === undefined
      ? [...printings.values()]
      : (await cards.ofSkus([...printings.keys()])).flatMap(({ sku, attributes }) =>
          filter(attributes) ? (printings.get(sku) ?? []) : []
        )
  const numbers = numbersOf(wanted)
  const shown = new Map(numbers.slice(offset, offset + limit).map(number => [number.first.sku, number]))
  const [best] = numbers
  return {
    cards: (await cards.ofSkus([...shown.keys()])).flatMap(card => {
      const number = shown.get(card.sku)
      if (number === undefined) return []
      const {
        match: {
          found: { name },
          ...verdict
        },
        printings
      } = number
      return [{ ...verdict, name, card, printings }]
    }),
    best: best === undefined ? undefined : { sku: best.first.sku, confidence: best.match.confidence },
    found: numbers.length,
    printings: wanted.length,
    isComplete: isComplete && !found.more
  }
}
