import { editDistance } from './edit-distance.ts'

const longestWord = 64
const mostCandidates = 1000

/**
 * Returns the candidate most similar to a misspelt word, or `undefined` if none is similar enough. Case is ignored. To
 * bound the work, words longer than 64 characters and candidates after the thousandth are ignored.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > longestWord) return undefined
  let limit = word.length <= 3 ? 1 : word.length <= 7 ? 2 : 3
  let nearest: string | undefined
  let seen = 0
  for (const candidate of candidates) {
    if (++seen > mostCandidates) break
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (edits <= limit) {
      nearest = candidate
      limit = edits - 1
      if (limit < 0) break
    }
  }
  return nearest
}

/** Returns a hint for an unknown word: the most similar candidate, else all candidates if there are at most 16. */
export function suggestion(word: string, candidates: readonly string[]): string | undefined {
  const nearest = suggest(word, candidates)
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`
  return candidates.length > 0 && candidates.length <= 16
    ? `Known: ${candidates.map(one => `\`${one}\``).join(', ')}.`
    : undefined
}
