// Own code: a trie took ten times as long for 148 paths and for 1,480; a library of edit distances (without
// transpositions) would compare every word.

import { editDistance } from '../diagnostics/edit-distance.ts'

/**
 * Maximum edits between two words that count as near. In a short word fewer are allowed: one for every three letters.
 */
export const mostEdits = 4
const editsIn = (length: number): number => Math.min(mostEdits, Math.ceil(length / 3))

/**
 * Bit sets of the letters that a text has at least once and at least twice, a bit for each letter from a to z; all
 * other characters share six bits.
 */
type Letters = Readonly<{ once: number; twice: number }>

function lettersOf(text: string): Letters {
  let [once, twice] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const bit = 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6))
    twice |= once & bit
    once |= bit
  }
  return { once, twice }
}

/** Counts the bits that are set in a 32-bit number. */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Counts letters of one text that the other lacks: at least as many edits are needed to make the texts equal. */
const missing = (one: Letters, other: Letters): number =>
  bitsIn(one.once & ~other.once) + bitsIn(one.twice & ~other.twice)

/**
 * Returns a function that finds the words near a text, with their edit distances. Only words of similar length and
 * letters are compared, so the work hardly grows with the list.
 */
export function indexWords(words: Iterable<string>): (text: string, limit: number) => ReadonlyMap<string, number> {
  const byLength = new Map<number, (Letters & Readonly<{ word: string }>)[]>()
  for (const word of words) {
    const alike = byLength.get(word.length) ?? []
    byLength.set(word.length, alike)
    alike.push({ word, ...lettersOf(word) })
  }
  return (text, limit) => {
    const found = new Map<string, number>()
    const letters = lettersOf(text)
    for (let length = text.length - limit; length <= text.length + limit; length += 1) {
      const allowed = Math.min(limit, editsIn(length))
      if (Math.abs(length - text.length) > allowed) continue
      for (const one of byLength.get(length) ?? []) {
        if (missing(letters, one) > allowed || missing(one, letters) > allowed) continue
        const cost = editDistance(text, one.word, allowed)
        if (cost <= allowed) found.set(one.word, cost)
      }
    }
    return found
  }
}
