import type { JsonObject } from 'pantry/data'
import type { Source } from '../source.ts'

/** Members that every source has: by itself, or of a policy. */
const stated = [
  'license',
  'license_statement',
  'payload_rights',
  'source_license',
  'access',
  'access_reason',
  'cadence',
  'freshness_budget_seconds'
] as const

/** An entry of the corpus `sources`. */
export type DeclaredSource = Omit<Source, (typeof stated)[number] | 'attributes'> &
  Partial<Source> &
  Readonly<{ policies?: readonly string[] }>

/**
 * A source with what the entries of `source-policies` say that it names: of two the later counts, and the source itself
 * before all. Also which members nobody states, and which names are of no policy.
 */
export function withPolicies(
  { policies: names = [], ...own }: DeclaredSource,
  policies: readonly JsonObject[]
): Readonly<{ source: Source; missing: readonly string[]; unknown: readonly string[] }> {
  const byId = new Map(
    policies.map(policy => [policy['id'], Object.entries(policy).filter(([member]) => member !== 'meaning')])
  )
  const source: Partial<Source> = { ...Object.fromEntries(names.flatMap(name => byId.get(name) ?? [])), ...own }
  return {
    source: source as Source,
    missing: stated.filter(member => source[member] === undefined),
    unknown: names.filter(name => !byId.has(name))
  }
}
