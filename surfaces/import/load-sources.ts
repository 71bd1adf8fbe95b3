import type { JsonObject } from 'pantry/data'
import type { Attribute } from '../catalogue/attribute.ts'
import { checkDeclaration } from './checks/check-source.ts'
import { withPolicies, type DeclaredSource } from './checks/policies.ts'
import type { Source } from './source.ts'

/**
 * Returns the sources by id, from entries of the corpus `sources` that its schema has already checked. Throws an Error
 * that names the source when a declaration cannot work. Only `pantry validate` checks that patterns run in linear time
 * and that attributes are declared. `policies` and `attributes` come from the corpora of those names; without
 * `attributes`, their values are not checked when they are read.
 */
export function loadSources(
  entries: readonly JsonObject[],
  policies: readonly JsonObject[],
  attributes?: readonly Attribute[]
): ReadonlyMap<string, Source> {
  const sources = new Map<string, Source>()
  for (const entry of entries) {
    // The schema of the corpus describes a `DeclaredSource`, and the entries were checked against it.
    const {
      source,
      missing: [missing]
    } = withPolicies(entry as DeclaredSource, policies)
    const problem =
      missing === undefined ? checkDeclaration(source, () => true)[0]?.message : `Nothing states \`${missing}\`.`
    if (problem !== undefined) throw new Error(`Source \`${source.id}\`: ${problem}`)
    sources.set(source.id, attributes === undefined ? source : { ...source, attributes })
  }
  return sources
}
