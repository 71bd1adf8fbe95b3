const mostAnswers = 3

/** Splits a segment into words, each without a plural `s`: `agent-guides` gives `agent` and `guide`. */
const wordsOf = (segment: string): string[] =>
  segment
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 2)
    .map(word => word.replace(/s$/, ''))

const split = (path: string): readonly [parent: string, last: string] => {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path
  const at = trimmed.lastIndexOf('/')
  return [trimmed.slice(0, at + 1).toLowerCase(), trimmed.slice(at + 1)]
}

/**
 * Returns a function that finds up to three declared paths that differ from a path only in the last segment and share a
 * word with it: `/a/agent-guide` finds `/a/guides`. Paths that share more words come first, then the order of the list.
 * Declared paths that end in a placeholder are left out.
 */
export function compilePathsByWord(declared: readonly string[]): (path: string) => string[] {
  const index = new Map<string, Map<string, number[]>>()
  for (const [place, path] of declared.entries()) {
    const [parent, last] = split(path)
    if (last.includes('{')) continue
    const words = index.get(parent) ?? new Map<string, number[]>()
    index.set(parent, words)
    for (const word of new Set(wordsOf(last))) words.set(word, [...(words.get(word) ?? []), place])
  }
  return path => {
    const [parent, last] = split(path.slice(0, 200))
    const words = index.get(parent)
    const shared = new Map<number, number>()
    for (const word of new Set(wordsOf(last)))
      for (const found of words?.get(word) ?? []) shared.set(found, (shared.get(found) ?? 0) + 1)
    return [...shared]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .slice(0, mostAnswers)
      .map(([found]) => declared[found] ?? '')
  }
}
