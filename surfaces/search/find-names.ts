import { editDistance } from 'pantry/data'
import { foldName, innerStarts, isWholeName, mistakesIn, nameKey, wordsOf } from './name-key.ts'
import { mostNames, type FoundName, type NameIndex } from './name-index.ts'

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

export type NameVerdict = Readonly<
  | { confidence: 'exact'; reason: (typeof nameReasons.exact)[number] }
  | { confidence: 'fuzzy'; reason: (typeof nameReasons.fuzzy)[number] }
>
export type NameMatch = Readonly<{ found: FoundName } & NameVerdict>
/** The matches; `more`: whether there may be further names that were not read. */
type NameFindings = Readonly<{ matches: readonly NameMatch[]; more: boolean }>

const [matched] = nameReasons.exact
const [beginning, inner, allWords, mistaken] = nameReasons.fuzzy

function judge(text: string, found: FoundName): NameMatch {
  if (nameKey(found.name) === text) return { found, confidence: 'exact', reason: matched }
  return { found, confidence: 'fuzzy', reason: found.isInner ? inner : beginning }
}

/** Removes duplicate names; the first occurrence is kept. */
function once(names: readonly FoundName[]): readonly FoundName[] {
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
  return once(meant(text, await index.suggested(text, game))).map(found => judge(text, found))
}

/** A word of the names that a search word may mean, with the number of typing mistakes between the two. */
type Reading = Readonly<{ word: string; mistakes: number }>

async function readingsOf(index: NameIndex, word: string): Promise<readonly Reading[]> {
  const limit = mistakesIn(word)
  const near = limit === 0 ? [] : await index.nearTo(word)
  const others = near
    .map(one => ({ word: one, mistakes: editDistance(word, one, limit) }))
    .filter(({ mistakes }) => mistakes > 0 && mistakes <= limit)
  return [{ word, mistakes: 0 }, ...others.sort((a, b) => a.mistakes - b.mistakes || (a.word < b.word ? -1 : 1))]
}

/** The most readings of one word that are looked up. */
const mostReadings = 12

/**
 * Returns the total number of typing mistakes if each search word begins some word of the name; `undefined` if one does
 * not.
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
 * Finds names that contain all words of the text in any order, also with typing mistakes. Only the longest word (in all
 * its readings) and the next longest (as written) are looked up; the results are checked for the other words.
 */
async function similarNames(index: NameIndex, text: string, game?: string): Promise<NameFindings> {
  const readings = await Promise.all([...new Set(wordsOf(text))].map(async word => await readingsOf(index, word)))
  const [longest = [], next = []] = [...readings].sort((a, b) => (b[0]?.word.length ?? 0) - (a[0]?.word.length ?? 0))
  const answers = await Promise.all(
    [...longest.slice(0, mostReadings), ...next.slice(0, 1)].map(
      async ({ word }) => await index.startingWith(word, game)
    )
  )
  const ranked = once(answers.flat()).flatMap(found => {
    const mistakes = mistakesAgainst(found.name, readings)
    return mistakes === undefined ? [] : [{ found, mistakes }]
  })
  // Among names with equally many mistakes, those with more printings come first.
  ranked.sort((a, b) => a.mistakes - b.mistakes || b.found.printings - a.found.printings)
  return {
    matches: ranked
      .slice(0, mostNames)
      .map(({ found, mistakes }) => ({ found, confidence: 'fuzzy', reason: mistakes === 0 ? allWords : mistaken })),
    more: ranked.length > mostNames || answers.some(names => names.length >= mostNames)
  }
}

/**
 * Finds names in any language by a normalised text: exact ones, then names that start with it, then names with a word
 * that does. Typing mistakes are considered only if these find nothing. A single character or a text of only signs
 * finds only names equal to it.
 */
export async function findNames(index: NameIndex, text: string, game?: string): Promise<NameFindings> {
  const names = meant(text, await index.startingWith(text, game))
  return names.length > 0 || isWholeName(text)
    ? { matches: once(names).map(found => judge(text, found)), more: names.length >= mostNames }
    : await similarNames(index, text, game)
}
