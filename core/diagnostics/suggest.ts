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

/**
 * Returns the number of edits (insert, delete, replace, swap of neighbours) that turn one text into the other, by
 * UTF-16 code unit. Only the part between the common start and end is compared, near the diagonal, and the result is
 * `limit + 1` if it is above `limit`. So the work grows with length times limit, not with the square of the length.
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
