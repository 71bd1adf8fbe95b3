const longestWord = 64
const mostCandidates = 1000

/** Edits (insert, delete, replace, swap of neighbours) from `a` to `b`; stops counting above `limit`. */
function distance (a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      best = Math.min(best, cost)
    }
    if (best > limit) return limit + 1
    before = previous
    previous = row
  }
  return previous[b.length] ?? limit + 1
}

/**
 * The candidate nearest to a misspelt word, or `undefined` when none is near. Letter case costs nothing.
 * Work is bounded: words longer than 64 characters and candidates after the thousandth are not looked at.
 */
export function suggest (word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > longestWord) return undefined
  let limit = word.length <= 3 ? 1 : word.length <= 7 ? 2 : 3
  let nearest: string | undefined
  let seen = 0
  for (const candidate of candidates) {
    if (++seen > mostCandidates) break
    const edits = distance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (edits <= limit) {
      nearest = candidate
      limit = edits - 1
      if (limit < 0) break
    }
  }
  return nearest
}

/** A hint sentence for an unknown word: the nearest candidate, or the whole list when it is short. */
export function suggestion (word: string, candidates: readonly string[]): string | undefined {
  const nearest = suggest(word, candidates)
  if (nearest !== undefined) return `Did you mean \`${nearest}\`?`
  return candidates.length > 0 && candidates.length <= 16 ? `Known: ${candidates.map(one => `\`${one}\``).join(', ')}.` : undefined
}
