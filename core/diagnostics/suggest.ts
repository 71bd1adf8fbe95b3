import { quotedList } from './diagnostic.ts'

// Maximum length of a word that is compared, and maximum number of candidates. They limit the work.
const maxWordLength = 64
const maxCandidates = 1000

/**
 * Returns the candidate most similar to a misspelt word, ignoring case; `undefined` if none is similar enough. Words of
 * more than 64 characters and candidates after the first 1000 are not compared.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > maxWordLength) return undefined
  let limit = word.length <= 3 ? 1 : word.length <= 7 ? 2 : 3
  let nearest: string | undefined
  let seen = 0
  for (const candidate of candidates) {
    if (++seen > maxCandidates) break
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (edits <= limit) {
      nearest = candidate
      limit = edits - 1
      if (limit < 0) break
    }
  }
  return nearest
}

/** Returns the new name of a field, by its old name; `undefined` if it was not renamed. */
export const renamedTo = (renamed: Readonly<Record<string, string>> = {}, name: string): string | undefined =>
  Object.hasOwn(renamed, name) ? renamed[name] : undefined

/** Returns a hint that names the most similar candidate; `undefined` if none is similar enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const nearest = suggest(word, candidates)
  return nearest === undefined ? undefined : `Did you mean \`${nearest}\`?`
}

/**
 * Returns a hint for an unknown word: the most similar candidate, else all candidates if there are 1 to 16; else
 * `undefined`.
 */
export const suggestionHint = (word: string, candidates: readonly string[]): string | undefined =>
  didYouMean(word, candidates) ??
  (candidates.length > 0 && candidates.length <= 16 ? `Known: ${quotedList(candidates)}.` : undefined)

/** Maximum number of characters of listed keys. */
const maxListed = 600

/**
 * Returns a hint for an unknown key of an object: the most similar one that it may have, else those that it may have,
 * of which `maxListed` characters are shown.
 */
export function keyHint(key: string, allowed: readonly string[]): string | undefined {
  const hint = suggestionHint(key, allowed)
  if (hint !== undefined || allowed.length === 0) return hint
  let length = 0
  const shown = allowed.filter(one => (length += one.length + 4) <= maxListed)
  const rest = allowed.length - shown.length
  return `Known: ${quotedList(shown)}${rest === 0 ? '' : ` and ${rest} more`}.`
}

/**
 * Returns the number of edits (insert, delete, replace, swap of neighbours) between two texts, by UTF-16 code unit;
 * `limit + 1` if it is above `limit`. Only cells near the diagonal are computed, so the work grows with length times
 * limit.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const far = limit + 1
  if (Math.abs(a.length - b.length) > limit) return far
  let start = 0
  let [endOfA, endOfB] = [a.length, b.length]
  while (start < endOfA && start < endOfB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endOfA > start && endOfB > start && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA--
    endOfB--
  }
  const [rows, columns] = [endOfA - start, endOfB - start]
  let before: number[] = []
  let previous: number[] = []
  for (let column = 0; column <= columns; column++) previous.push(column)
  for (let row = 1; row <= rows; row++) {
    const current: number[] = [row]
    let least = row
    const last = a.charCodeAt(start + row - 1)
    for (let column = 1; column <= columns; column++) {
      if (Math.abs(row - column) > limit) {
        current.push(far)
        continue
      }
      const letter = b.charCodeAt(start + column - 1)
      let cost = Math.min(
        (previous[column - 1] ?? far) + (last === letter ? 0 : 1),
        (previous[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1
      )
      if (
        row > 1 &&
        column > 1 &&
        last === b.charCodeAt(start + column - 2) &&
        a.charCodeAt(start + row - 2) === letter
      )
        cost = Math.min(cost, (before[column - 2] ?? far) + 1)
      current.push(cost)
      if (cost < least) least = cost
    }
    if (least > limit) return far
    before = previous
    previous = current
  }
  return Math.min(previous[columns] ?? far, far)
}
