import { createRequire } from 'node:module'
import type * as Recheck from 'recheck'
import type { JsonSchema } from '../canonical/json.ts'
import { hasFewWays } from './few-ways-pattern.ts'
import { isOneWay } from './one-way-pattern.ts'

const require = createRequire(import.meta.url)

type UnsafePattern = Readonly<{ pointer: readonly (string | number)[]; pattern: string }>

/** Keywords whose members are data or names, so a key `pattern` below them is not a pattern. */
const data = new Set(['enum', 'const', 'default', 'examples', 'example'])
const named = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])

/**
 * Returns all regular expressions of a JSON Schema with their places: values of `pattern`, keys of `patternProperties`.
 */
function patternsOf(schema: unknown, at: readonly (string | number)[] = []): UnsafePattern[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one, index) => patternsOf(one, [...at, index]))
  return Object.entries(schema).flatMap(([key, value]) => {
    const here = [...at, key]
    if (data.has(key)) return []
    if (key === 'pattern' && typeof value === 'string') return [{ pointer: here, pattern: value }]
    if (key === 'patternProperties' || named.has(key)) {
      const members = Object.entries(value as object)
      const keys =
        key === 'patternProperties' ? members.map(([pattern]) => ({ pointer: [...here, pattern], pattern })) : []
      return [...keys, ...members.flatMap(([name, member]) => patternsOf(member, [...here, name]))]
    }
    return patternsOf(value, here)
  })
}

/** Results for patterns: `true` means safe. They are cached, because an analysis can take a tenth of a second. */
const verdicts = new Map<string, boolean>()

/**
 * Whether a pattern is proven to match in linear time without `recheck`, so that this also works where `recheck` is not
 * installed.
 */
const isProven = (pattern: string): boolean => isOneWay(pattern) || hasFewWays(pattern)

function loadChecker(): typeof Recheck | undefined {
  // Runs the checker in this process instead of in a worker or child process. It is loaded only for the first pattern
  // that needs it.
  process.env['RECHECK_SYNC_BACKEND'] ??= 'pure'
  try {
    return require('recheck') as typeof Recheck
  } catch {
    return undefined
  }
}

/**
 * Whether a pattern is known to match in linear time. A pattern for which this cannot be shown is not safe. The text
 * must be a valid pattern.
 */
export function isSafePattern(pattern: string): boolean {
  const known = verdicts.get(pattern) ?? (isProven(pattern) || undefined)
  if (known !== undefined) {
    verdicts.set(pattern, known)
    return known
  }
  const status = loadChecker()?.checkSync(pattern, 'u', { timeout: 20_000 }).status ?? 'unknown'
  if (status !== 'unknown') verdicts.set(pattern, status === 'safe')
  return status === 'safe'
}

/** Hint for a pattern that is not safe. */
export const unsafePatternHint =
  'Let each character be matched in one way only, and anchor the pattern. With the package `recheck` installed, other safe patterns are recognised as well.'

/** Returns the patterns of a schema that can backtrack without bound, or that cannot be shown to be safe. */
export const unsafePatterns = (schema: JsonSchema): UnsafePattern[] =>
  patternsOf(schema).filter(({ pattern }) => !isSafePattern(pattern))
