import { editDistance } from 'pantry/data'
import { compact, foldName, formsOf, innerStarts, isWholeName, nameKey, wordsOf } from './fold-name.ts'
import { maxNames, maxSuggestions, type FoundName, type NameIndex } from './name-index.ts'
import { fitOf, readWords, withMistakes, type Fit, type SearchWord, type Spoken } from './read-query.ts'

/** The reasons for a match by name, by confidence. */
export const nameReasons = {
  exact: ['name matched', 'set and number matched'],
  fuzzy: [
    'name starts with the text',
    'a word of the name starts with the text',
    'words of the name matched',
    'words of the name and of the card matched',
    'words of the name matched but for a mistake',
    'name matched in Latin letters'
  ]
} as const

export type NameVerdict = Readonly<
  | { confidence: 'exact'; reason: (typeof nameReasons.exact)[number] }
  | { confidence: 'fuzzy'; reason: (typeof nameReasons.fuzzy)[number] }
>
export type NameMatch = Readonly<{ found: FoundName; fit: Fit } & NameVerdict>

const [matched, numbered] = nameReasons.exact
const [beginning, inner, allWords, across, mistaken] = nameReasons.fuzzy

const isNumber = ({ text, sets }: SearchWord): boolean => /^[0-9]/.test(text) || sets.some(({ isCode }) => isCode)

/** A name that was found for words; `key`: without spaces, as it is compared with a text. */
type Compared = Readonly<{ found: FoundName; key: string; forms: readonly string[]; fit: Fit }>

function compare(words: readonly SearchWord[], found: FoundName): Compared {
  const folded = foldName(found.name)
  const forms = formsOf(folded)
  return { found, key: compact(folded || nameKey(found.name)), forms, fit: fitOf(forms, words) }
}

/** Judges a name that was found for words, together with what is stated of its cards where it lacks some. */
export const judge = (text: string, words: readonly SearchWord[], found: FoundName): NameMatch =>
  judgeCompared(text, words, compare(words, found))

function judgeCompared(text: string, words: readonly SearchWord[], { found, key, forms, fit }: Compared): NameMatch {
  const fuzzy = (reason: (typeof nameReasons.fuzzy)[number]): NameMatch => ({ found, fit, confidence: 'fuzzy', reason })
  const whole = compact(text)
  if (key === whole)
    return { found, fit: { ...fit, missing: 0, isCovered: true }, confidence: 'exact', reason: matched }
  if (key.startsWith(whole)) return fuzzy(beginning)
  if (forms.some(form => innerStarts(form).some(start => start.startsWith(text)))) return fuzzy(inner)
  if (fit.missing === words.length && words.length > 1 && words.every(isNumber))
    return { found, fit, confidence: 'exact', reason: numbered }
  return fuzzy(fit.mistakes > 0 ? mistaken : fit.missing > 0 ? across : allWords)
}

const rankOf = ({ confidence, fit: { missing, mistakes, begun, isCovered } }: NameMatch): readonly number[] => [
  confidence === 'exact' ? 0 : 1,
  mistakes,
  begun,
  // A name that is the whole text says more than its printings, but not if the text has mistakes.
  isCovered || mistakes > 0 ? 0 : 1,
  missing
]

/** Orders matches by what of the text they have: whole words before beginnings, and names before what is stated. */
export function byFit(a: NameMatch, b: NameMatch): number {
  const [ranks, others] = [rankOf(a), rankOf(b)]
  return ranks.map((rank, at) => rank - (others[at] ?? 0)).find(difference => difference !== 0) ?? 0
}

const byName = (a: NameMatch, b: NameMatch): number =>
  byFit(a, b) || b.found.printings - a.found.printings || a.found.id - b.found.id

/** Removes names with an id that occurs before; names of different games have different ids. */
export function uniqueById(names: readonly FoundName[]): readonly FoundName[] {
  const seen = new Set<number>()
  return names.filter(({ id }) => seen.size < seen.add(id).size)
}

/** Names that have all words of a text, in order; `words`: those of the text; `more`: whether there may be others. */
type NameMatches = Readonly<{ matches: readonly NameMatch[]; words: readonly SearchWord[]; more: boolean }>

/** Returns the names among those of the words that have all words of the text. */
function withAll(text: string, words: readonly SearchWord[], others: readonly FoundName[]): NameMatches {
  const lists = [others, ...words.map(({ names }) => names)]
  const whole = compact(text)
  const matches = uniqueById(lists.flat())
    .map(found => compare(words, found))
    .filter(({ key, fit }) => fit.missing === 0 || key.startsWith(whole))
    .map(compared => judgeCompared(text, words, compared))
    .sort(byName)
  // A word whose names were all read leaves no other name; else the text is looked up as the beginning of a name only.
  const more = lists.slice(words.length > 1 ? 0 : 1).every(names => names.length >= maxNames)
  return { matches: matches.slice(0, maxNames), words, more: more || matches.length > maxNames }
}

/** Finds names in any language that are the text, for a text that is too short to be a beginning. */
async function equalNames(index: NameIndex, text: string, game: string | undefined): Promise<NameMatches> {
  const names = await index.startingWith(text, game)
  const equal = names.filter(({ name }) => nameKey(name) === text)
  return { matches: equal.map(found => judge(text, [], found)), words: [], more: false }
}

/**
 * Finds names in any language that have all words of a key of `nameKey`, as whole words or as their beginnings, in any
 * order. A single character or a text of only signs finds only names equal to it.
 */
export async function findNames(
  index: NameIndex,
  text: string,
  game?: string,
  spoken: Spoken = new Map()
): Promise<NameMatches> {
  if (isWholeName(text)) return await equalNames(index, text, game)
  const [words, others] = await Promise.all([
    readWords(index, text, game, spoken),
    text.includes(' ') ? index.startingWith(compact(text), game) : []
  ])
  return withAll(text, words, others)
}

/** Finds names that have all words of the text if some of them have typing mistakes. */
export async function findMistaken(
  index: NameIndex,
  text: string,
  words: readonly SearchWord[],
  game?: string
): Promise<NameMatches> {
  return withAll(text, await withMistakes(index, words, game), [])
}

/** Returns suggestions: names with the text or a word that starts with it, else those that `findNames` finds. */
export async function completeName(index: NameIndex, text: string, game?: string): Promise<readonly NameMatch[]> {
  const first = (await index.suggested(compact(text), game)).map(found => judge(text, [], found))
  const isWhole = isWholeName(text)
  if (isWhole) return (await equalNames(index, text, game)).matches
  if (!text.includes(' ') ? first.length > 0 : first.length >= maxSuggestions) return first
  const { matches, words } = await findNames(index, text, game)
  return matches.length > 0 ? matches : (await findMistaken(index, text, words, game)).matches
}

/** The words of a text that near names are looked for, the near words of each, and the names of each of these. */
const [nearTexts, nearWords, nearNames] = [4, 4, 2]
/** The fewest letters of a word that another can be like. */
const fewestLetters = 3

/** Returns names with a word of a text that finds nothing, or with a word that is like one, the likest first. */
export async function namesNear(index: NameIndex, q: string, game?: string): Promise<readonly FoundName[]> {
  const words = wordsOf(foldName(q)).filter(({ length }) => length >= fewestLetters)
  const found = await Promise.all(
    words.slice(0, nearTexts).map(async word => {
      const most = Math.ceil(word.length / 2)
      const near = [word, ...(await index.nearTo(word))]
        .map(other => ({ other, edits: editDistance(word, other, most) }))
        .filter(({ edits }) => edits <= most)
        .sort((a, b) => a.edits - b.edits || (a.other < b.other ? -1 : 1))
      const likest = [...new Set(near.map(({ other }) => other))].slice(0, nearWords)
      const names = await Promise.all(likest.map(async other => await index.suggested(other, game)))
      return names.flatMap(some => some.slice(0, nearNames))
    })
  )
  return uniqueById(found.flat()).slice(0, maxSuggestions)
}
