import type { JsonObject } from 'pantry/data'

/**
 * The member `rights` of every structural document: the structure is our own and free, the values are not ours to
 * license.
 */
export const rights: JsonObject = {
  aggregate: 'NOASSERTION',
  structure: 'CC0-1.0',
  field_level_lineage_available: false
}

/** The reason given for a value that is null in a document. */
export const withheld = 'withheld_pending_field_level_source_rights'

/** Returns a typed link to another structural document; `target_hash` is the `@content_hash` of that document. */
export const edge = (kind: string, token: string, targetHash: string, canonical: string): JsonObject => ({
  edge_kind: kind,
  target_natural_token: token,
  target_hash: targetHash,
  _links: { canonical }
})

/** Returns the labels for `@source_license`, one per source: the upstreams state nothing about rights in the values. */
export const licenseLabels = (sources: readonly string[]): string[] => sources.map(() => 'noassertion')

/** Returns the members that name the sources of a response and their licenses. */
export const fromSources = (sources: readonly string[]) => ({ sources, sourceLicense: licenseLabels(sources) })

/** The sources of documents that the catalogue itself compiles. */
export const ownSources = fromSources(['catalogue'])
