import { createRequire } from 'node:module'
import type * as Recheck from 'recheck'
import type { JsonSchema } from '../canonical/json.ts'
import { parsePattern, type CharSet, type PatternTree } from './pattern-tree.ts'

const require = createRequire(import.meta.url)

type UnsafePattern = Readonly<{ pointer: readonly (string | number)[]; pattern: string }>

// Keywords whose members are data or names, so a key `pattern` below them is not a pattern.
const data = new Set(['enum', 'const', 'default', 'examples', 'example'])
const named = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])

/** Returns all values of `pattern` and keys of `patternProperties` of a JSON Schema. */
function patternsOf(schema: unknown, at: readonly (string | number)[] = []): UnsafePattern[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one, index) => patternsOf(one, [...at, index]))
  return Object.entries(schema).flatMap(([key, value]) => {
    const here = [...at, key]
    if (data.has(key)) return []
    if (key === 'pattern' && typeof value === 'string') return [{ pointer: here, pattern: value }]
    if (key !== 'patternProperties' && !named.has(key)) return patternsOf(value, here)
    return Object.entries(value as object).flatMap(([name, member]) => {
      const pointer = [...here, name]
      const own = key === 'patternProperties' ? [{ pointer, pattern: name }] : []
      return [...own, ...patternsOf(member, pointer)]
    })
  })
}

/** Verdicts on patterns: true if safe. They are kept, because an analysis can take a tenth of a second. */
const verdicts = new Map<string, boolean>()

/** Loads the checker (`recheck`), which may not be installed. Called for the first pattern that needs it. */
function loadChecker(): typeof Recheck | undefined {
  // Runs the checker in this process instead of in a worker or child process.
  process.env['RECHECK_SYNC_BACKEND'] ??= 'pure'
  try {
    return require('recheck') as typeof Recheck
  } catch {
    return undefined
  }
}

/** Whether a valid pattern is known to match in linear time. */
export function isSafePattern(pattern: string): boolean {
  const known = verdicts.get(pattern)
  if (known !== undefined) return known
  const isProven = isUnambiguous(pattern) || hasBoundedBacktracking(pattern)
  const status = isProven ? 'safe' : loadChecker()?.checkSync(pattern, 'u', { timeout: 20_000 }).status
  if (status === 'safe' || status === 'vulnerable') verdicts.set(pattern, status === 'safe')
  return status === 'safe'
}

export const unsafePatternHint =
  'Let each character be matched in one way only, and anchor the pattern. With the package `recheck` installed, other safe patterns are recognised as well.'

/** Returns the patterns of a schema that can backtrack without bound, or that are not known to be safe. */
export const unsafePatterns = (schema: JsonSchema): UnsafePattern[] =>
  patternsOf(schema).filter(({ pattern }) => !isSafePattern(pattern))

/** A place in a pattern where one character is matched: the characters that may follow it. */
type Position = { follow: CharSet }
type Part = Readonly<{ nullable: boolean; first: CharSet; last: readonly Position[] }>

/** Thrown if a text could match in two ways, or if the proof becomes too large; caught in this file. */
class Ambiguous extends Error {}

const maxPositions = 2000

/** Joins two sets of possible next characters. Throws if a character is in both. */
function either(a: CharSet, b: CharSet): CharSet {
  if ((a & b) !== 0n) throw new Ambiguous()
  return a | b
}

/**
 * Proves that no text can match a pattern in two ways. The proof is our own code: the alternative is to match with
 * `re2js`, which needs no proof but takes 6 to 40 times as long at each request, and published patterns would stay
 * unsafe for clients with other engines.
 */
class Proof {
  private positions = 0

  part(tree: PatternTree): Part {
    switch (tree.kind) {
      case 'chars': {
        if (++this.positions > maxPositions) throw new Ambiguous()
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
    if (maximum > maxPositions) throw new Ambiguous()
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

/** Whether a pattern is anchored and every text can match it in one way only (a one-unambiguous expression). */
export function isUnambiguous(pattern: string): boolean {
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

/** The maximum number of ways to match a part, and the maximum number of characters that it matches. */
type Ways = Readonly<{ ways: number; length: number }>

const maxSteps = 1000

function waysOf(tree: PatternTree): Ways {
  if (tree.kind === 'chars') return { ways: 1, length: 1 }
  if (tree.kind === 'repeat') return repeated(waysOf(tree.part), tree.minimum, tree.maximum)
  const parts = tree.parts.map(waysOf)
  return tree.kind === 'choice'
    ? parts.reduce((a, b) => ({ ways: a.ways + b.ways, length: Math.max(a.length, b.length) }))
    : parts.reduce((a, b) => ({ ways: a.ways * b.ways, length: a.length + b.length }), { ways: 1, length: 0 })
}

function repeated({ ways, length }: Ways, minimum: number, maximum: number): Ways {
  if (maximum > maxSteps) return { ways: Infinity, length: Infinity }
  let sum = 0
  for (let count = minimum; count <= maximum; count++) sum += ways ** count
  return { ways: sum, length: length * maximum }
}

/** Whether an engine needs at most 1000 steps to try all ways to match a pattern from one position of a text. */
export function hasBoundedBacktracking(pattern: string): boolean {
  const parsed = parsePattern(pattern)
  if (parsed === undefined) return false
  const { ways, length } = waysOf(parsed.tree)
  return ways * Math.max(length, 1) <= maxSteps
}
