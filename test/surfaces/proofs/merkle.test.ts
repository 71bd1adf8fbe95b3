import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import {
  consistencyRanges,
  Frontier,
  hashOfRange,
  inclusionRanges,
  isConsistent,
  isIncluded,
  leafHash,
  wholeNodes,
  type Node,
  type Range
} from '../../../surfaces/proofs/merkle.ts'

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest()

/** The definition of RFC 6962 §2.1, word by word. */
function definition(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] ?? Buffer.of())
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return sha256(Buffer.of(1), definition(leaves.slice(0, half)), definition(leaves.slice(half)))
}

/** A tree with all that it ever made, as the database holds it. */
function grow(
  hashes: readonly string[]
): Readonly<{ roots: readonly string[]; proof: (ranges: readonly Range[]) => string[] }> {
  const tree = new Frontier()
  const nodes = new Map<string, Node>()
  const roots = [tree.root]
  for (const hash of hashes) {
    for (const node of tree.add(hash)) nodes.set(`${node.level}/${node.index}`, node)
    roots.push(tree.root)
  }
  return {
    roots,
    proof: ranges =>
      ranges.map(range => hashOfRange(range, ({ level, index }) => nodes.get(`${level}/${index}`)?.hash ?? ''))
  }
}

/** Leaves and roots that implementations of RFC 6962 are tested with: of no, one, … eight leaves. */
const known = {
  leaves: ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
    hex => Buffer.from(hex, 'hex')
  ),
  roots: [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'
  ]
}

t.test('the known trees have their known roots and proofs', t => {
  // Their leaves are bytes; those of ours are texts.
  const hashes = known.leaves.map(leaf => sha256(Buffer.of(0), leaf).toString('hex'))
  const { roots, proof } = grow(hashes)
  t.same(roots, known.roots)
  t.same(proof(inclusionRanges(0, [0, 8])), [
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4'
  ])
  t.same(proof(inclusionRanges(5, [0, 8])), [
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'
  ])
  t.same(proof(consistencyRanges(6, 8)), [
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'
  ])
  t.end()
})

const someLeaves = fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 70 })
const chosen = (of: number, by: number): number => Math.floor(by * of)
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const flipped = (hash: string, bit: number): string => {
  const bytes = Buffer.from(hash, 'hex')
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes.toString('hex')
}

t.test('a tree of any size is the one of the definition, and goes on from what is stored of it', t => {
  fc.assert(
    fc.property(someLeaves, share, (leaves, by) => {
      const hashes = leaves.map(leafHash)
      const { roots, proof } = grow(hashes)
      const size = chosen(leaves.length + 1, by)
      const edge = wholeNodes([0, size]).map(place => ({
        ...place,
        hash: proof([[place.index * 2 ** place.level, (place.index + 1) * 2 ** place.level]])[0] ?? ''
      }))
      const tree = new Frontier(size, edge)
      t.equal(tree.root, definition(leaves.slice(0, size).map(leaf => Buffer.from(leaf))).toString('hex'))
      for (const hash of hashes.slice(size)) tree.add(hash)
      t.equal(tree.root, roots.at(-1))
      t.equal(tree.size, leaves.length)
    }),
    { numRuns: 60 }
  )
  t.end()
})

t.test('every leaf is proven at its place, nowhere else, and one flipped bit is found', t => {
  fc.assert(
    fc.property(someLeaves, share, share, fc.nat(255), (leaves, by, where, bit) => {
      const { roots, proof } = grow(leaves.map(leafHash))
      const [size, index] = [leaves.length, chosen(leaves.length, by)]
      const path = proof(inclusionRanges(index, [0, size]))
      const right = { leaf: leafHash(leaves[index] ?? ''), index, size, path, root: roots.at(-1) ?? '' }
      t.ok(isIncluded(right))
      const at = chosen(path.length, where)
      const wrong = [
        { ...right, leaf: flipped(right.leaf, bit) },
        { ...right, root: flipped(right.root, bit) },
        { ...right, index: size },
        { ...right, path: [...path, right.leaf] },
        ...(path.length === 0
          ? []
          : [
              { ...right, path: path.toSpliced(at, 1, flipped(path[at] ?? '', bit)) },
              { ...right, path: path.slice(1) }
            ])
      ]
      for (const one of wrong) t.notOk(isIncluded(one), JSON.stringify(one))
    }),
    { numRuns: 100 }
  )
  t.end()
})

t.test('a larger tree is proven to begin with a smaller one, and another history is refused', t => {
  fc.assert(
    fc.property(someLeaves, share, share, fc.nat(255), (leaves, by, where, bit) => {
      const { roots, proof } = grow(leaves.map(leafHash))
      const [first, second] = [chosen(leaves.length, by), leaves.length]
      const path = proof(consistencyRanges(first, second))
      const [before, after] = [
        { size: first, root: roots[first] ?? '' },
        { size: second, root: roots[second] ?? '' }
      ]
      t.ok(isConsistent(before, after, path))
      t.ok(isConsistent(after, after, []))
      t.notOk(isConsistent(after, before, path))
      t.notOk(isConsistent({ ...before, root: flipped(before.root, bit) }, after, path))
      if (first > 0) t.notOk(isConsistent(before, { ...after, root: flipped(after.root, bit) }, path))
      const at = chosen(path.length, where)
      if (path.length > 0) t.notOk(isConsistent(before, after, path.toSpliced(at, 1, flipped(path[at] ?? '', bit))))
      t.notOk(isConsistent(before, after, [...path, before.root]))
    }),
    { numRuns: 100 }
  )
  t.end()
})

t.test('two hashes in a row are no leaf: a second preimage is refused', t => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(leafHash) as [string, string, string, string]
  const { roots, proof } = grow([a, b, c, d])
  const root = roots[4] ?? ''
  const [, right = ''] = proof([
    [0, 2],
    [2, 4]
  ])
  // A tree that joins plain hashes takes the bytes of two leaves' hashes for a leaf of a tree with half as many.
  const forged = createHash('sha256')
    .update(Buffer.of(0))
    .update(Buffer.from(a + b, 'hex'))
    .digest('hex')
  t.notOk(isIncluded({ leaf: forged, index: 0, size: 2, path: [right], root }))
  t.not(grow([a, b, c]).roots[3], grow([a, b, c, c]).roots[4], 'a last leaf is not doubled')
  t.end()
})
