import type { JsonValue } from 'pantry/data'
import { compact, foldName, wordsOf } from './fold-name.ts'
import { foldNumber } from './number-index.ts'

const foldedWords = new Map<string, readonly string[]>()
/** Returns the folded words of a value, from a cache: few values are shared by all cards. */
function wordsOfValue(value: string): readonly string[] {
  const known = foldedWords.get(value)
  if (known !== undefined) return known
  if (foldedWords.size > 20_000) foldedWords.clear()
  const words = wordsOf(foldName(value))
  foldedWords.set(value, words)
  return words
}

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value as readonly JsonValue[]) yield* textsIn(one)
}

let latest: Readonly<{ attributes: string | null; words: readonly string[] }> = { attributes: null, words: [] }

/**
 * Returns the words that are stated of a card beside its name, set and number: its rarity, and every attribute with a
 * text or a list of texts, whatever it is called. `attributes` is the JSON of all attributes.
 */
export function fieldWords(rarity: string | null, attributes: string | null): readonly string[] {
  // The printings of a number follow each other and state the same.
  if (latest.attributes !== attributes) {
    const values = Object.values(JSON.parse(attributes ?? '{}') as Readonly<Record<string, JsonValue>>)
    latest = { attributes, words: [...new Set(values.flatMap(value => [...textsIn(value)].flatMap(wordsOfValue)))] }
  }
  return rarity === null ? latest.words : [...wordsOfValue(rarity), ...latest.words]
}

/**
 * Returns the words by which a set is found, each with whether it is the whole code: the code without signs, also
 * without leading zeros (`op01` and `op1`), and the words of code and names.
 */
export function setWords(code: string, names: readonly (string | null)[]): ReadonlyMap<string, boolean> {
  const folded = foldName(code)
  const texts = [code, ...names].flatMap(text => (text === null ? [] : wordsOfValue(text)))
  const words = new Map(texts.map(word => [word, false]))
  for (const whole of [compact(folded), foldNumber(code)]) if (/^[^-]+$/.test(whole)) words.set(whole, true)
  return words
}
