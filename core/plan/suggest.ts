import type { JsonObject } from '../canonical/json.ts'
import { editDistance } from '../diagnostics/suggest.ts'
import type { Registry } from '../registry/registry.ts'

const maxComparedLength = 200
const maxSuggestions = 3
const maxDeclared = 16
const omissionCost = 2

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

const segmentsOf = (path: string): string[] => withoutSlash(path).split('/')

/**
 * Returns the best paths: those with the smallest numbers for `sign` 1, the largest for -1; equal ones in declared
 * order.
 */
const best = (found: ReadonlyMap<number, number>, declared: readonly string[], sign: 1 | -1): string[] =>
  [...found]
    .sort(([a, one], [b, other]) => sign * (one - other) || a - b)
    .slice(0, maxSuggestions)
    .map(([place]) => declared[place] ?? '')

const isPlaceholder = (segment: string | undefined): boolean => segment?.startsWith('{') === true

/**
 * Tells whether a caller may have omitted this segment: a word before another word, or a placeholder at the end.
 * Without a word before a placeholder, the rest would match anything.
 */
const omissible = (declared: readonly string[], at: number): boolean =>
  at > 0 &&
  (isPlaceholder(declared[at])
    ? at === declared.length - 1
    : at < declared.length - 1 && !isPlaceholder(declared[at + 1]))

type WordIndex = (text: string, limit: number) => ReadonlyMap<string, number>

/**
 * A node of the tree of declared paths, by segment in lowercase. `ends`: the paths that end here. `lengths`: a bit for
 * each number of further segments after which a path ends. `near`: by such a bit, an index of the words that lead to
 * these ends.
 */
type Node = {
  words: Map<string, Node>
  placeholder: Node | undefined
  ends: number[]
  lengths: number
  near: Map<number, WordIndex>
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

function nearOf(node: Node, length: number): WordIndex {
  const bit = bitOf(length)
  const known = node.near.get(bit)
  if (known !== undefined) return known
  const made = indexWords([...node.words].flatMap(([word, { lengths }]) => ((lengths & bit) === 0 ? [] : [word])))
  node.near.set(bit, made)
  return made
}

/**
 * Calls `found` with every declared path that matches the segments from `depth` on within `maxEdits` edits, and the
 * number of edits.
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
  if (node.words.size === 0 || cost === maxEdits) return
  for (const [word, more] of nearOf(node, segments.length - depth - 1)(segment, maxEdits - cost)) {
    const child = word === segment ? undefined : node.words.get(word)
    if (child !== undefined) walk(child, segments, depth + 1, cost + more, found)
  }
}

/**
 * Returns a function that finds up to three declared paths similar to an undeclared path, nearest first. One segment
 * may be missing. Letter case and a trailing slash cost nothing. Only the first 200 characters are compared.
 */
export function compileNearestPaths(declared: readonly string[]): (path: string) => string[] {
  const [whole, shortened] = [newNode(), newNode()]
  for (const [place, path] of declared.entries()) {
    const segments = segmentsOf(path)
    add(whole, segments, place)
    if (segments.length > maxDeclared) continue
    for (const at of segments.keys()) if (omissible(segments, at)) add(shortened, segments.toSpliced(at, 1), place)
  }
  return path => {
    const costs = new Map<number, number>()
    const found = (place: number, cost: number): void => {
      costs.set(place, Math.min(cost, costs.get(place) ?? cost))
    }
    const segments = segmentsOf(path.slice(0, maxComparedLength).toLowerCase())
    walk(whole, segments, 0, 0, found)
    walk(shortened, segments, 0, omissionCost, found)
    return best(costs, declared, 1)
  }
}

// Own code: a trie took ten times as long for 148 paths and for 1,480; a library of edit distances (without
// transpositions) would compare every word.

/** Maximum edits in a path. In one word, also at most one for every three letters begun. */
const maxEdits = 4
const maxEditsIn = (length: number): number => Math.min(maxEdits, Math.ceil(length / 3))

/**
 * The letters that a text has at least once and at least twice, a bit for each letter from a to z; all other characters
 * share six bits.
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

function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns a lower bound of the edits that make two texts equal. */
const missing = (one: Letters, other: Letters): number =>
  bitsIn(one.once & ~other.once) + bitsIn(one.twice & ~other.twice)

/**
 * Returns a function that finds the words near a text, with their edit distances. Only words of similar length and
 * letters are compared, so the work hardly grows with the list.
 */
function indexWords(words: Iterable<string>): WordIndex {
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
      const allowed = Math.min(limit, maxEditsIn(length))
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

/**
 * Returns the words of a segment, without short ones and without a plural `s`: `agent-guides` gives `agent` and
 * `guide`.
 */
const wordsOf = (segment: string): string[] =>
  segment
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 2)
    .map(word => word.replace(/s$/, ''))

const split = (path: string): readonly [parent: string, last: string] => {
  const trimmed = withoutSlash(path)
  const at = trimmed.lastIndexOf('/')
  return [trimmed.slice(0, at + 1).toLowerCase(), trimmed.slice(at + 1)]
}

/**
 * Returns a function that finds up to three declared paths that differ only in the last segment and share a word with
 * it, those with more words first: `/a/agent-guide` finds `/a/guides`.
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
    const [parent, last] = split(path.slice(0, maxComparedLength))
    const words = index.get(parent)
    const shared = new Map<number, number>()
    for (const word of new Set(wordsOf(last)))
      for (const found of words?.get(word) ?? []) shared.set(found, (shared.get(found) ?? 0) + 1)
    return best(shared, declared, -1)
  }
}

/**
 * Returns a function that makes the `data` of a 404. Suggestions are not cached: requests for random paths would fill
 * the memory that prepared answers need.
 */
export function compileSuggestions(registry: Registry): (path: string) => JsonObject {
  const pointers = Object.fromEntries(
    Object.entries(registry.service.suggestions).map(([name, id]) => [name, registry.byId.get(id)?.route.path ?? null])
  )
  const declared = registry.surfaces
    .filter(surface => surface.route.methods.includes('GET'))
    .map(surface => surface.route.path)
  const nearestPaths = compileNearestPaths(declared)
  const pathsByWord = compilePathsByWord(declared)
  return path => {
    const near = nearestPaths(path)
    return {
      requested_path: path.slice(0, maxComparedLength),
      suggestions: { did_you_mean: near.length > 0 ? near : pathsByWord(path), ...pointers }
    }
  }
}
