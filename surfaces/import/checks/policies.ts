import type { JsonObject } from 'pantry/data'
import type { Source } from '../source.ts'

/** Members that every source must have, either in its own entry or from a policy. */
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

/** An entry of the corpus `sources`, in which members may be left to policies. */
export type DeclaredSource = Omit<Source, (typeof stated)[number] | 'attributes'> &
  Partial<Source> &
  Readonly<{ policies?: readonly string[] }>

/**
 * Adds to a source the members of the policies that it names; a later policy overrides an earlier one, and the source
 * overrides both. Also returns the members that are still missing and the policy names that do not exist.
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
