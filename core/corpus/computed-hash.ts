import { hashCanonical } from '../canonical/canonical-json.ts'
import type { JsonObject } from '../canonical/json.ts'
import type { CorpusDeclaration } from './declaration.ts'

/**
 * An entry with the field that its corpus computes: SHA-256 over the canonical JSON (RFC 8785) of other fields, absent
 * ones as null.
 */
export function withHash(entry: JsonObject, { key, hash }: CorpusDeclaration): JsonObject {
  if (hash === undefined) return entry
  const covered = Object.fromEntries(hash.over.map(name => [name, entry[name] ?? null]))
  const { [key]: first = null, ...rest } = { ...entry, [hash.field]: hashCanonical(covered) }
  return { [key]: first, ...rest }
}
