import { createHash } from 'node:crypto'
import { closed, Count, Text } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'

export type ProofsDatabase = Pick<Database, 'knex' | 'rows'>

/** SHA-256 as 64 lowercase hex digits. */
type Hash = string

/** Leaves from `start` up to but not including `end`. */
export type Range = readonly [start: number, end: number]

/** A full subtree, which never changes. Level 0 is a leaf; `index` counts the subtrees of a level from the left. */
type Place = Readonly<{ level: number; index: number }>
export type MerkleNode = Place & Readonly<{ hash: Hash }>

/**
 * Hashes a prefix byte and the parts. The byte differs for leaves and inner nodes, so that neither can be passed off as
 * the other (RFC 6962 §2.1).
 */
const prefixed = (prefix: number, ...parts: readonly Uint8Array[]): Hash =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256').update(Uint8Array.of(prefix))).digest('hex')

/** Returns the hash of byte 0 and the UTF-8 bytes of the leaf. */
export const leafHash = (leaf: string): Hash => prefixed(0, Buffer.from(leaf))

const nodeHash = (left: Hash, right: Hash): Hash => prefixed(1, Buffer.from(left, 'hex'), Buffer.from(right, 'hex'))

const emptyRoot: Hash = createHash('sha256').digest('hex')

/** Returns the root over full subtrees, given by their hashes, largest first; the smallest ones are combined first. */
const joined = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right))

/** A Merkle tree that only grows: only the full subtrees at its right edge are kept. */
export class Frontier {
  #edge: MerkleNode[]
  #size: number

  /** `edge`: the full subtrees at the right edge, largest first. */
  constructor(size = 0, edge: readonly MerkleNode[] = []) {
    ;[this.#size, this.#edge] = [size, [...edge]]
  }

  get size(): number {
    return this.#size
  }
  get root(): Hash {
    return joined(this.#edge.map(({ hash }) => hash))
  }

  /** Adds a leaf, given by its hash. Returns it with the full subtrees that it completes. */
  add(hash: Hash): readonly MerkleNode[] {
    let node: MerkleNode = { level: 0, index: this.#size, hash }
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

/** The largest power of two below a number of leaves. */
function splitOf(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/** Splits a range of leaves into full subtrees, largest first. The range must be one that occurs in proofs. */
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

export const hashOfRange = (range: Range, hashOf: (place: Place) => Hash): Hash => joined(wholeNodes(range).map(hashOf))

/** Returns the leaves under each sibling on the path from a leaf to the root, nearest first (RFC 6962 §2.1.1). */
export function inclusionRanges(index: number, [start, end]: Range): readonly Range[] {
  if (end - start <= 1) return []
  const middle = start + splitOf(end - start)
  return index < middle
    ? [...inclusionRanges(index, [start, middle]), [middle, end]]
    : [...inclusionRanges(index, [middle, end]), [start, middle]]
}

/**
 * Returns the leaves under each hash of the proof that a tree of `second` leaves begins with one of `first` leaves (RFC
 * 6962 §2.1.2).
 */
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
 * Returns for each hash of a proof, from the leaf up, whether it is on the left. `undefined` when the number of hashes
 * is wrong (RFC 9162 §2.1.3.2 and §2.1.4.2, with `at` and `last` for `fn` and `sn`).
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

const rootAbove = (node: Hash, path: readonly Hash[], isLeft: readonly boolean[]): Hash =>
  path.reduce((hash, beside, step) => (isLeft[step] === true ? nodeHash(beside, hash) : nodeHash(hash, beside)), node)

/** Whether the path proves that the leaf is in the tree, at this index (RFC 9162 §2.1.3.2). */
export function isIncluded({
  leaf,
  index,
  size,
  path,
  root
}: Readonly<{ leaf: Hash; index: number; size: number; path: readonly Hash[]; root: Hash }>): boolean {
  const sides = index < size ? sidesOf(index, size - 1, path.length) : undefined
  return sides !== undefined && root === rootAbove(leaf, path, sides)
}

type Head = Readonly<{ size: number; root: Hash }>

/** Whether the proof shows that the second tree begins with all leaves of the first (RFC 9162 §2.1.4.2). */
export function isConsistent(first: Head, second: Head, path: readonly Hash[]): boolean {
  if (first.size > second.size) return false
  if (first.size === second.size) return path.length === 0 && first.root === second.root
  if (first.size === 0) return path.length === 0 && first.root === emptyRoot
  let [at, last] = [first.size - 1, second.size - 1]
  while (at % 2 === 1) [at, last] = [(at - 1) / 2, Math.floor(last / 2)]
  // If the smaller tree is a full subtree, the proof omits its root as first hash.
  const [begin = '', ...rest] = at === 0 ? [first.root, ...path] : path
  const sides = sidesOf(at, last, rest.length)
  if (sides === undefined) return false
  const before = rest.reduce((hash, beside, step) => (sides[step] === true ? nodeHash(beside, hash) : hash), begin)
  return before === first.root && rootAbove(begin, rest, sides) === second.root
}

const NodeRow = closed({ level: Count, index: Count, hash: Text })

const nameOf = ({ level, index }: Place): string => `${level}/${index}`

/** Reads full subtrees, in the order of `places`; a missing one has an empty hash. */
export async function readNodes(
  { rows, knex }: ProofsDatabase,
  epoch: number,
  places: readonly Place[]
): Promise<readonly MerkleNode[]> {
  const found = await rows(
    NodeRow,
    knex.raw(
      'select level, index, n.hash from proof_nodes n join jsonb_to_recordset(?::jsonb) as p(level int, index bigint) using (level, index) where n.epoch = ?',
      [JSON.stringify(places), epoch]
    )
  )
  const byName = new Map(found.map(node => [nameOf(node), node]))
  return places.map(place => byName.get(nameOf(place)) ?? { ...place, hash: '' })
}

export async function storeNodes(knex: Knex, epoch: number, nodes: readonly MerkleNode[]): Promise<void> {
  await knex.raw(
    'insert into proof_nodes (epoch, level, index, hash) select ?::int, level, index, hash from jsonb_to_recordset(?::jsonb) as n(level int, index bigint, hash text)',
    [epoch, JSON.stringify(nodes)]
  )
}

export async function hashesOf(database: ProofsDatabase, epoch: number, ranges: readonly Range[]): Promise<string[]> {
  const nodes = await readNodes(database, epoch, ranges.flatMap(wholeNodes))
  const byName = new Map(nodes.map(({ hash, ...place }) => [nameOf(place), hash]))
  return ranges.map(range => hashOfRange(range, place => byName.get(nameOf(place)) ?? ''))
}
