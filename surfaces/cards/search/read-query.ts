import { editDistance } from 'pantry/data'
import { compact, foldName, maxMistakesIn, unspaced, wordsOf } from './fold-name.ts'
import type { FoundName, FoundSet, NameIndex } from './name-index.ts'
import { newerHepburn } from './kana.ts'
import { foldNumber } from './number-index.ts'

/** The most words of a text that are looked up; it is searched as if the others were not there. */
const maxWords = 12

/** A word of the names that a search word may mean, with the number of typing mistakes between the two. */
type Reading = Readonly<{ word: string; mistakes: number }>

/** A search word with its readings, the likeliest first, and with what it finds. */
export type SearchWord = Readonly<{
  text: string
  /** The word before it; an empty string for the first. */
  before: string
  readings: readonly Reading[]
  names: readonly FoundName[]
  sets: readonly FoundSet[]
  /** Folded values by which cards say what is meant: `sec` for the words of `secret rare`. */
  values: readonly string[]
}>

/** Words that people use for a value of cards, by the value; both as they are written. */
export type Spoken = ReadonlyMap<string, readonly string[]>

const isDigits = (word: string): boolean => /^[0-9]+$/.test(word)
const isMixed = (word: string): boolean => /^(?=.*[0-9])[a-z0-9]+$/.test(word) && !isDigits(word)

/** Returns the texts that may be the code of a set: words, two that belong together, and beginnings of words. */
function possibleCodes(words: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...words,
    ...words.flatMap((word, at) =>
      /^[a-z]+$/.test(word) && /^[0-9]/.test(words[at + 1] ?? '') ? [word + (words[at + 1] ?? '')] : []
    ),
    ...words
      .filter(word => isMixed(word) && word.length <= 16)
      .flatMap(word => Array.from({ length: word.length - 1 }, (_, at) => word.slice(0, at + 1)))
  ])
}

/**
 * Returns the words of a text with set codes apart from numbers, however they are written: `op01 001` for `OP01001` and
 * for `op 01 001`.
 */
function splitNumbers(words: readonly string[], isCode: (word: string) => boolean): readonly string[] {
  const split: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [word = '', next = ''] = [words[at], words[at + 1]]
    const ends = Array.from(word, (_, end) => end).filter(
      end => isDigits(word.slice(end)) && isCode(word.slice(0, end))
    )
    // `st10003` is `st10 003` and not `st1 0003`: numbers that are printed with zeros have three digits.
    const end = ends.find(end => word.length - end === 3) ?? ends[0] ?? 0
    if (/^[a-z]+$/.test(word) && /^[0-9]/.test(next) && isCode(word + next)) {
      split.push(word + next)
      at++
    } else if (isMixed(word) && !isCode(word) && end > 0) split.push(word.slice(0, end), word.slice(end))
    else split.push(word)
  }
  return [...new Set(split)]
}

/** A set and a number of it that a text says together; `set` is the folded code. */
type SaidPlace = Readonly<{ set: string; number: string }>

/**
 * Returns the set and number that each text is, as a search reads them: `OP01001`, `op 01 001`. Undefined for a text
 * that is anything else. One query for all.
 */
export async function readPlaces(
  index: NameIndex,
  texts: readonly string[],
  game: string | undefined
): Promise<readonly (SaidPlace | undefined)[]> {
  const words = texts.map(text => wordsOf(foldName(text)).slice(0, maxWords))
  const codes = [...new Set(words.flatMap(some => [...possibleCodes(some)]))]
  const held = await index.codesAmong(codes, game)
  return words.map(some => {
    const [set, number, ...more] = splitNumbers(some, code => held.has(code))
    return set !== undefined && held.has(set) && number !== undefined && more.length === 0 ? { set, number } : undefined
  })
}

/** Returns the values that are meant by words of the text. */
function valuesIn(words: readonly string[], spoken: Spoken): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>()
  for (const [value, phrases] of spoken) {
    for (const phrase of phrases) {
      const meant = wordsOf(foldName(phrase))
      if (!` ${words.join(' ')} `.includes(` ${meant.join(' ')} `)) continue
      for (const word of meant) values.set(word, [...(values.get(word) ?? []), foldName(value)])
    }
  }
  return values
}

/** Cuts a text into its words, and finds the names and sets that have each of them. */
export async function readWords(
  index: NameIndex,
  text: string,
  game: string | undefined,
  spoken: Spoken
): Promise<readonly SearchWord[]> {
  const words = [...new Set(wordsOf(text))].slice(0, maxWords)
  const codes = [...possibleCodes(words)]
  const [names, sets] = await Promise.all([
    Promise.all(words.map(async word => [word, await index.startingWith(word, game)] as const)),
    Promise.all(codes.map(async code => [code, await index.setsWith(code, game)] as const))
  ])
  const [namesOf, setsOf] = [new Map(names), new Map(sets)]
  const values = valuesIn(words, spoken)
  return splitNumbers(words, code => setsOf.get(code)?.some(({ isCode }) => isCode) === true).map((word, at, all) => ({
    text: word,
    before: all[at - 1] ?? '',
    readings: [{ word, mistakes: 0 }],
    names: namesOf.get(word) ?? [],
    sets: setsOf.get(word) ?? [],
    values: values.get(word) ?? []
  }))
}

/** The most readings of one word, and how many of them are looked up; the others only confirm what is found. */
const maxReadings = 60
const maxLookups = 12

/** Returns the words with what they may mean if they have typing mistakes; with names for the likeliest readings. */
export async function withMistakes(
  index: NameIndex,
  words: readonly SearchWord[],
  game: string | undefined
): Promise<readonly SearchWord[]> {
  return await Promise.all(
    words.map(async word => {
      const limit = maxMistakesIn(word.text)
      const spellings = limit === 0 || isMixed(word.text) ? [] : [...new Set([word.text, newerHepburn(word.text)])]
      const near = await Promise.all(spellings.map(async spelling => await index.nearTo(spelling)))
      const others = [...new Set(near.flat())]
        .map(one => ({ word: one, mistakes: Math.min(...spellings.map(text => editDistance(text, one, limit))) }))
        .filter(({ mistakes }) => mistakes > 0 && mistakes <= limit)
        .sort((a, b) => a.mistakes - b.mistakes || (a.word < b.word ? -1 : 1))
        .slice(0, maxReadings)
      const names = await Promise.all(
        others.slice(0, maxLookups).map(async reading => await index.startingWith(reading.word, game))
      )
      return { ...word, readings: [...word.readings, ...others], names: [...word.names, ...names.flat()] }
    })
  )
}

const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}# ]/gu, '')

/** Returns a regular expression for the words of a row of `name_numbers` in which a search word is found. */
export function patternOf({ text, before, readings, values, sets }: SearchWord): string {
  const isWhole = /[0-9]/.test(text) || text.length < 3
  // Digits alone are a number or the code of a set, or go with the word before them, as in `stage 1`.
  const whole = isDigits(text) && !sets.some(({ isCode }) => isCode) ? ` ${before} ${text} ` : ` ${text} `
  const written = unspaced.test(text) ? text : isWhole ? whole : ` ${text}`
  const number = /[0-9]/.test(text) ? [` #${foldNumber(text)} `] : []
  const others = [...readings.slice(1).map(({ word }) => word), ...values].map(word => ` ${word} `)
  return `(?:${[written, ...number, ...others].map(escaped).join('|')})`
}

/** How the words of a text are found in a name. */
export type Fit = Readonly<{
  /** How many words the name has as whole words, how many only begin one, and the mistakes in all of them. */
  whole: number
  begun: number
  mistakes: number
  /** The words that the name does not have. */
  missing: number
  /** The words found, without spaces, as the name writes them. */
  letters: string
  /** Whether the name has no other words. */
  isCovered: boolean
}>

/** Compares the words of a text with the forms of a name. */
export function fitOf(forms: readonly string[], words: readonly SearchWord[]): Fit {
  const padded = forms.map(form => ` ${form} `)
  const has = (text: string): boolean => padded.some(form => form.includes(text))
  let [whole, begun, mistakes, missing, letters] = [0, 0, 0, 0, '']
  for (const { text, readings } of words) {
    const meant = readings.find(({ word }) => has(` ${word} `))
    if (meant?.mistakes === 0) whole++
    else if (has(unspaced.test(text) ? text : ` ${text}`)) begun++
    else if (meant === undefined) {
      missing++
      continue
    } else {
      whole++
      mistakes += meant.mistakes
    }
    letters += meant?.word ?? text
  }
  return { whole, begun, mistakes, missing, letters, isCovered: letters === compact(forms[0] ?? '') }
}
