import { hashCanonical } from '../canonical/canonical-json.ts'
import type { JsonObject } from '../canonical/json.ts'
import type { CorpusDeclaration } from './declaration.ts'

/**
 * Adds the computed field to an entry: SHA-256 over the canonical JSON (RFC 8785) of the fields in `hash.over`; absent
 * ones count as null.
 */
export function withHash(entry: JsonObject, { key, hash }: CorpusDeclaration): JsonObject {
  if (hash === undefined) return entry
  const covered = Object.fromEntries(hash.over.map(name => [name, entry[name] ?? null]))
  const { [key]: first = null, ...rest } = { ...entry, [hash.field]: hashCanonical(covered) }
  return { [key]: first, ...rest }
}
