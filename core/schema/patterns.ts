import { createRequire } from 'node:module'
import type * as Recheck from 'recheck'
import type { JsonSchema } from '../canonical/json.ts'
import { hasFewWays } from './few-ways-pattern.ts'
import { isOneWay } from './one-way-pattern.ts'

const require = createRequire(import.meta.url)

type UnsafePattern = Readonly<{ pointer: readonly (string | number)[]; pattern: string }>

/** Keywords whose members are data or names, so that a key `pattern` below them is not a pattern. */
const data = new Set(['enum', 'const', 'default', 'examples', 'example'])
const named = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])

/** Every regular expression of a JSON Schema with its place: values of `pattern`, keys of `patternProperties`. */
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

/** What was found out about patterns: `true` means safe. An analysis takes up to a tenth of a second. */
const verdicts = new Map<string, boolean>()

/**
 * Whether a pattern is shown to be matched in linear time without the general checker, so also where that is not
 * installed.
 */
const isProven = (pattern: string): boolean => isOneWay(pattern) || hasFewWays(pattern)

function loadChecker(): typeof Recheck | undefined {
  // The checker in this process instead of one in a worker and a child process; loaded when the first pattern comes.
  process.env['RECHECK_SYNC_BACKEND'] ??= 'pure'
  try {
    return require('recheck') as typeof Recheck
  } catch {
    return undefined
  }
}

/**
 * Whether a pattern is known to be matched in linear time; one that cannot be shown to be is not safe. Not for a text
 * that is no pattern.
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

/** What to do about a pattern that is not safe. */
export const unsafePatternHint =
  'Let each character be matched in one way only, and anchor the pattern. With the package `recheck` installed, other safe patterns are recognised as well.'

/** The patterns of a schema that can backtrack without bound, or that cannot be shown to be safe. */
export const unsafePatterns = (schema: JsonSchema): UnsafePattern[] =>
  patternsOf(schema).filter(({ pattern }) => !isSafePattern(pattern))
