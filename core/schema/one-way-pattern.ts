import { parsePattern, type CharSet, type PatternTree } from './pattern-tree.ts'

/** One character position of a pattern: the characters that may follow it. */
type Position = { follow: CharSet }
type Part = Readonly<{ nullable: boolean; first: CharSet; last: readonly Position[] }>

/** Thrown if a text could match in two ways, or if the proof becomes too large; caught in this file. */
class Ambiguous extends Error {}

const mostPositions = 2000

/** Joins two sets of possible next characters. This is unambiguous only if they have no character in common. */
function either(a: CharSet, b: CharSet): CharSet {
  if ((a & b) !== 0n) throw new Ambiguous()
  return a | b
}

/**
 * Proves that every text can match a pattern in one way only. The proof is our own, because matching with `re2js`,
 * which needs none, takes 6 to 40 times as long at each request, and published patterns would stay unsafe for clients
 * with other engines.
 */
class Proof {
  private positions = 0

  part(tree: PatternTree): Part {
    switch (tree.kind) {
      case 'chars': {
        if (++this.positions > mostPositions) throw new Ambiguous()
        return { nullable: false, first: tree.chars, last: [{ follow: 0n }] }
      }
      case 'sequence':
        return tree.parts.map(one => this.part(one)).reduce((a, b) => this.then(a, b), empty)
      case 'choice':
        return tree.parts
          .map(one => this.part(one))
          .reduce((a, b) => {
            if (a.nullable && b.nullable) throw new Ambiguous()
            return { nullable: a.nullable || b.nullable, first: either(a.first, b.first), last: [...a.last, ...b.last] }
          })
      case 'repeat':
        return this.repeat(tree.part, tree.minimum, tree.maximum)
    }
  }

  private then(a: Part, b: Part): Part {
    for (const position of a.last) position.follow = either(position.follow, b.first)
    return {
      nullable: a.nullable && b.nullable,
      first: a.nullable ? either(a.first, b.first) : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last
    }
  }

  /** Expands a repeat: `x{2,4}` is `xx(x(x)?)?`; `x{2,}` is `x` and a loop of `x`. */
  private repeat(tree: PatternTree, minimum: number, maximum: number): Part {
    if (maximum === 0) return empty
    if (maximum === Infinity) {
      const loop = this.part(tree)
      if (loop.nullable) throw new Ambiguous()
      for (const position of loop.last) position.follow = either(position.follow, loop.first)
      const rest = minimum === 0 ? { ...loop, nullable: true } : loop
      return minimum > 1 ? this.then(this.repeat(tree, minimum - 1, minimum - 1), rest) : rest
    }
    if (maximum > mostPositions) throw new Ambiguous()
    let whole: Part | undefined
    for (let count = maximum; count > 0; count--) {
      const one = this.part(tree)
      const joined = whole === undefined ? one : this.then(one, whole)
      whole = count > minimum ? { ...joined, nullable: true } : joined
    }
    return whole ?? empty
  }
}

const empty: Part = { nullable: true, first: 0n, last: [] }

/**
 * Whether a pattern is anchored and every text can match it in one way only (a one-unambiguous expression), so that no
 * engine backtracks further than the length of the text.
 */
export function isOneWay(pattern: string): boolean {
  const parsed = parsePattern(pattern)
  if (parsed?.isAnchored !== true) return false
  try {
    new Proof().part(parsed.tree)
    return true
  } catch (error) {
    if (error instanceof Ambiguous) return false
    throw error
  }
}
