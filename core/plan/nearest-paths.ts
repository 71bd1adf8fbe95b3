import { indexWords, mostEdits } from './near-words.ts'

const longestPath = 200
const mostAnswers = 3
const longestDeclared = 16
/** What a segment that was left out counts for, in edits. */
const leftOutCost = 2

/** A slash at the end makes no segment. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/')

const isPlaceholder = (segment: string | undefined): boolean => segment?.startsWith('{') === true

/**
 * Whether a caller may have left a segment out: a folder before another word, or the placeholder at the end. A word
 * before a placeholder is not, because what is left would fit anything.
 */
const omissible = (declared: readonly string[], at: number): boolean =>
  at > 0 &&
  (isPlaceholder(declared[at])
    ? at === declared.length - 1
    : at < declared.length - 1 && !isPlaceholder(declared[at + 1]))

/**
 * Declared paths as a tree of their segments in lowercase. `ends` are the places in the list of those that end here,
 * `lengths` has a bit for each number of segments that lead to an end, and `near` finds words by that number: a word
 * that leads to no end is not looked at.
 */
type Node = {
  words: Map<string, Node>
  placeholder: Node | undefined
  ends: number[]
  lengths: number
  near: Map<number, ReturnType<typeof indexWords>>
}

const newNode = (): Node => ({ words: new Map(), placeholder: undefined, ends: [], lengths: 0, near: new Map() })

/** Paths of more segments are one to this index. */
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
 * Calls `found` for every declared path that the segments from `depth` on fit, with the edits that make them fit. A
 * placeholder takes any segment.
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
 * Finds up to three declared paths that a path nobody declared may have meant, nearest first; of equally near ones the
 * earlier in the list. One segment may have been left out. Letter case and a slash at the end cost nothing. Only the
 * first 200 characters of the path are looked at.
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
