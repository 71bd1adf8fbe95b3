import { editDistance } from 'pantry/data'
import { foldName, innerStarts, isWholeName, mistakesIn, nameKey, wordsOf } from './name-key.ts'
import { mostNames, type FoundName, type NameIndex } from './name-index.ts'

/** Why a name was found, by how sure that is. */
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
/** `more`: whether more names may be held than were looked at. */
type NameFindings = Readonly<{ matches: readonly NameMatch[]; more: boolean }>

const [matched] = nameReasons.exact
const [beginning, inner, allWords, mistaken] = nameReasons.fuzzy

function judge(text: string, found: FoundName): NameMatch {
  if (nameKey(found.name) === text) return { found, confidence: 'exact', reason: matched }
  return { found, confidence: 'fuzzy', reason: found.isInner ? inner : beginning }
}

/** Each name where it comes first. */
function once(names: readonly FoundName[]): readonly FoundName[] {
  const seen = new Set<number>()
  return names.filter(({ id }) => seen.size < seen.add(id).size)
}

/** What a text that is no beginning leaves of the names that start with it. */
const meant = (text: string, names: readonly FoundName[]): readonly FoundName[] =>
  isWholeName(text) ? names.filter(({ name }) => nameKey(name) === text) : names

/**
 * Names in the order of the index: those that start with the text before those with a word that does. Exact ones are
 * the first.
 */
export async function completeName(index: NameIndex, text: string, game?: string): Promise<readonly NameMatch[]> {
  return once(meant(text, await index.suggested(text, game))).map(found => judge(text, found))
}

/** A word that was asked for as it may be meant, with how many mistakes that takes. */
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
 * How many mistakes make the name one that has all words, each at the beginning of one of its own; `undefined` when it
 * has not all.
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
 * Names that have all words of the text, in any order, as they are or with mistakes. The longest word is looked up in
 * all its readings and the next one as it is, since a mistake in one word leaves the other; the rest are looked for in
 * what these find.
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
  // Of names that are equally near, the one on more cards is meant more often.
  ranked.sort((a, b) => a.mistakes - b.mistakes || b.found.printings - a.found.printings)
  return {
    matches: ranked
      .slice(0, mostNames)
      .map(({ found, mistakes }) => ({ found, confidence: 'fuzzy', reason: mistakes === 0 ? allWords : mistaken })),
    more: ranked.length > mostNames || answers.some(names => names.length >= mostNames)
  }
}

/**
 * The names that a folded text means, in any language held: exact ones, then those that start with it, then those with
 * a word that does. Mistakes are looked for only where there are none of these. One character, or signs alone, mean the
 * names that are it.
 */
export async function findNames(index: NameIndex, text: string, game?: string): Promise<NameFindings> {
  const names = meant(text, await index.startingWith(text, game))
  return names.length > 0 || isWholeName(text)
    ? { matches: once(names).map(found => judge(text, found)), more: names.length >= mostNames }
    : await similarNames(index, text, game)
}
