import type { JsonObject } from 'pantry/data'
import type { Attribute } from './attribute.ts'
import { checkDeclaration } from './checks/check-source.ts'
import { withPolicies, type DeclaredSource } from './checks/policies.ts'
import type { Source } from './source.ts'

/**
 * The sources by id, from the entries of the corpus `sources` (already checked against its schema). Throws an Error
 * naming the source at fault when a declaration cannot work; whether its patterns run in linear time, and its
 * attributes are declared, is left to `pantry validate`. `policies` and `attributes` are the corpora of those names;
 * without attributes values are not checked when they are read.
 */
export function loadSources(
  entries: readonly JsonObject[],
  policies: readonly JsonObject[],
  attributes?: readonly Attribute[]
): ReadonlyMap<string, Source> {
  const sources = new Map<string, Source>()
  for (const entry of entries) {
    // The corpus schema is the form of a `DeclaredSource`, and the entries were checked against it.
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
