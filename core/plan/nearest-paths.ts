import { indexWords, mostEdits } from './near-words.ts'

const longestPath = 200
const mostAnswers = 3
const longestDeclared = 16
/** The cost of an omitted segment, in edits. */
const leftOutCost = 2

/** Splits a path into segments; a trailing slash adds none. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/')

const isPlaceholder = (segment: string | undefined): boolean => segment?.startsWith('{') === true

/**
 * Tells whether a caller may have omitted a segment: a word before another word, or a placeholder at the end. A word
 * before a placeholder cannot be omitted, because the rest would match anything.
 */
const omissible = (declared: readonly string[], at: number): boolean =>
  at > 0 &&
  (isPlaceholder(declared[at])
    ? at === declared.length - 1
    : at < declared.length - 1 && !isPlaceholder(declared[at + 1]))

/**
 * A node of the tree of declared paths, by segment in lowercase. `ends`: positions in the list of the paths that end
 * here. `lengths`: a bit for each number of segments after which a path ends. `near`: an index of words by that number,
 * with only those words below which a path of that length ends.
 */
type Node = {
  words: Map<string, Node>
  placeholder: Node | undefined
  ends: number[]
  lengths: number
  near: Map<number, ReturnType<typeof indexWords>>
}

const newNode = (): Node => ({ words: new Map(), placeholder: undefined, ends: [], lengths: 0, near: new Map() })

/** All paths of 30 or more segments share one bit. */
const bitOf = (length: number): number => 1 << Math.min(length, 30)

function childOf(node: Node, segment: string): Node {
  if (isPlaceholder(segment)) return (node.placeholder ??= newNode())
  const word = segment.toLowerCase()
  const known = node.words.get(word) ?? newNode()
  node.words.set(word, known)
  return known
}

function add(root: Node, segments: readonly string[], place: number): void {
  let node = root
  for (const [depth, segment] of segments.entries()) {
    node.lengths |= bitOf(segments.length - depth)
    node = childOf(node, segment)
  }
  node.lengths |= bitOf(0)
  node.ends.push(place)
}

function nearOf(node: Node, length: number): ReturnType<typeof indexWords> {
  const bit = bitOf(length)
  const known = node.near.get(bit)
  if (known !== undefined) return known
  const made = indexWords([...node.words].flatMap(([word, { lengths }]) => ((lengths & bit) === 0 ? [] : [word])))
  node.near.set(bit, made)
  return made
}

/**
 * Calls `found` for every declared path that matches the segments from `depth` on, with the number of edits needed. A
 * placeholder matches any segment.
 */
function walk(
  node: Node,
  segments: readonly string[],
  depth: number,
  cost: number,
  found: (place: number, cost: number) => void
): void {
  if ((node.lengths & bitOf(segments.length - depth)) === 0) return
  const segment = segments[depth]
  if (segment === undefined) {
    for (const place of node.ends) found(place, cost)
    return
  }
  if (node.placeholder !== undefined && segment !== '') walk(node.placeholder, segments, depth + 1, cost, found)
  const exact = node.words.get(segment)
  if (exact !== undefined) walk(exact, segments, depth + 1, cost, found)
  if (node.words.size === 0 || cost === mostEdits) return
  for (const [word, more] of nearOf(node, segments.length - depth - 1)(segment, mostEdits - cost)) {
    const child = word === segment ? undefined : node.words.get(word)
    if (child !== undefined) walk(child, segments, depth + 1, cost + more, found)
  }
}

/**
 * Returns a function that finds up to three declared paths similar to an undeclared path, nearest first; equally near
 * ones in the order of the list. One segment may be missing. Letter case and a trailing slash cost nothing. Only the
 * first 200 characters of the path are compared.
 */
export function compileNearestPaths(declared: readonly string[]): (path: string) => string[] {
  const [whole, shortened] = [newNode(), newNode()]
  for (const [place, path] of declared.entries()) {
    const segments = segmentsOf(path)
    add(whole, segments, place)
    if (segments.length > longestDeclared) continue
    for (const at of segments.keys()) if (omissible(segments, at)) add(shortened, segments.toSpliced(at, 1), place)
  }
  return path => {
    const costs = new Map<number, number>()
    const found = (place: number, cost: number): void => {
      costs.set(place, Math.min(cost, costs.get(place) ?? cost))
    }
    const segments = segmentsOf(path.slice(0, longestPath).toLowerCase())
    walk(whole, segments, 0, 0, found)
    walk(shortened, segments, 0, leftOutCost, found)
    return [...costs]
      .sort(([a, one], [b, other]) => one - other || a - b)
      .slice(0, mostAnswers)
      .map(([place]) => declared[place] ?? '')
  }
}
