import { createHash } from 'node:crypto'

/** SHA-256 as 64 lowercase hex digits. */
type Hash = string

/** Leaves of a tree, from the first to the one before the last number. */
export type Range = readonly [start: number, end: number]

/**
 * A subtree with as many leaves as it has room for: it never changes. Level 0 is a leaf; `index` counts those of a
 * level from the left.
 */
export type Place = Readonly<{ level: number; index: number }>
export type Node = Place & Readonly<{ hash: Hash }>

/**
 * Leaves and inner nodes are hashed with another first byte, so that none can be shown as the other (RFC 6962 §2.1).
 */
const prefixed = (prefix: number, ...parts: readonly Uint8Array[]): Hash =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256').update(Uint8Array.of(prefix))).digest('hex')

/** Hash of a leaf: of its UTF-8 bytes after a byte 0. */
export const leafHash = (leaf: string): Hash => prefixed(0, Buffer.from(leaf))

const nodeHash = (left: Hash, right: Hash): Hash => prefixed(1, Buffer.from(left, 'hex'), Buffer.from(right, 'hex'))

const emptyRoot: Hash = createHash('sha256').digest('hex')

/** Root over the hashes of whole subtrees, the largest first: the smaller ones are joined first. */
const joined = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right))

/** A tree that grows at its right. It remembers the whole subtrees at its edge and nothing below them. */
export class Frontier {
  #edge: Node[]
  #size: number

  /** A tree of so many leaves whose whole subtrees, the largest first, are `edge`. */
  constructor(size = 0, edge: readonly Node[] = []) {
    ;[this.#size, this.#edge] = [size, [...edge]]
  }

  get size(): number {
    return this.#size
  }
  get root(): Hash {
    return joined(this.#edge.map(({ hash }) => hash))
  }

  /** Appends a leaf; gives it with the whole subtrees that it completes. */
  add(hash: Hash): readonly Node[] {
    let node: Node = { level: 0, index: this.#size, hash }
    const made = [node]
    while (node.index % 2 === 1) {
      node = {
        level: node.level + 1,
        index: (node.index - 1) / 2,
        hash: nodeHash(this.#edge.pop()?.hash ?? '', node.hash)
      }
      made.push(node)
    }
    this.#edge.push(node)
    this.#size += 1
    return made
  }
}

/** Largest power of two below a number of leaves. */
function splitOf(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/**
 * The whole subtrees that leaves of a tree are made of, the largest first. The range is one of those that proofs
 * consist of.
 */
export function wholeNodes([start, end]: Range): readonly Place[] {
  const found: Place[] = []
  for (let from = start; from < end;) {
    let [size, level] = [1, 0]
    while (size * 2 <= end - from) [size, level] = [size * 2, level + 1]
    found.push({ level, index: from / size })
    from += size
  }
  return found
}

/** Hash of a range whose whole subtrees are found by `hashOf`. */
export const hashOfRange = (range: Range, hashOf: (place: Place) => Hash): Hash => joined(wholeNodes(range).map(hashOf))

/** What proves that a leaf is in a tree: the ranges beside its way to the root, the nearest first (RFC 6962 §2.1.1). */
export function inclusionRanges(index: number, [start, end]: Range): readonly Range[] {
  if (end - start <= 1) return []
  const middle = start + splitOf(end - start)
  return index < middle
    ? [...inclusionRanges(index, [start, middle]), [middle, end]]
    : [...inclusionRanges(index, [middle, end]), [start, middle]]
}

/** What proves that a tree begins with the leaves of a smaller one (RFC 6962 §2.1.2). */
export function consistencyRanges(first: number, second: number): readonly Range[] {
  const within = ([start, end]: Range, isWhole: boolean): readonly Range[] => {
    if (first === end) return isWhole ? [] : [[start, end]]
    const middle = start + splitOf(end - start)
    return first <= middle
      ? [...within([start, middle], isWhole), [middle, end]]
      : [...within([middle, end], false), [start, middle]]
  }
  return first === 0 ? [] : within([0, second], true)
}

/**
 * Goes from a leaf up to the root, once for each hash of a proof: is what is beside at the left? `undefined` where the
 * proof has too many hashes or too few (RFC 9162 §2.1.3.2 and §2.1.4.2, with `at` and `last` for `fn` and `sn`).
 */
function sidesOf(at: number, last: number, hashes: number): readonly boolean[] | undefined {
  const sides: boolean[] = []
  for (let step = 0; step < hashes; step += 1) {
    if (last === 0) return undefined
    sides.push(at % 2 === 1 || at === last)
    while (at === last && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? sides : undefined
}

/** Whether a leaf is at its place in the tree with a root (RFC 9162 §2.1.3.2). */
export function isIncluded({
  leaf,
  index,
  size,
  path,
  root
}: Readonly<{ leaf: Hash; index: number; size: number; path: readonly Hash[]; root: Hash }>): boolean {
  const sides = index < size ? sidesOf(index, size - 1, path.length) : undefined
  return (
    sides !== undefined &&
    root ===
      path.reduce(
        (hash, beside, step) => (sides[step] === true ? nodeHash(beside, hash) : nodeHash(hash, beside)),
        leaf
      )
  )
}

type Head = Readonly<{ size: number; root: Hash }>

/** Whether the tree of the second head begins with all leaves of the first (RFC 9162 §2.1.4.2). */
export function isConsistent(first: Head, second: Head, path: readonly Hash[]): boolean {
  if (first.size > second.size) return false
  if (first.size === second.size) return path.length === 0 && first.root === second.root
  if (first.size === 0) return path.length === 0 && first.root === emptyRoot
  let [at, last] = [first.size - 1, second.size - 1]
  while (at % 2 === 1) [at, last] = [(at - 1) / 2, Math.floor(last / 2)]
  // A smaller tree that is one whole subtree is its own first hash.
  const [begin = '', ...rest] = at === 0 ? [first.root, ...path] : path
  const sides = sidesOf(at, last, rest.length)
  if (sides === undefined) return false
  const before = rest.reduce((hash, beside, step) => (sides[step] === true ? nodeHash(beside, hash) : hash), begin)
  const after = rest.reduce(
    (hash, beside, step) => (sides[step] === true ? nodeHash(beside, hash) : nodeHash(hash, beside)),
    begin
  )
  return before === first.root && after === second.root
}
