import type { JsonObject } from 'pantry/data'

/** Rights of every structural document: the arrangement is ours to give, the values in it are not. */
export const rights: JsonObject = {
  aggregate: 'NOASSERTION',
  structure: 'CC0-1.0',
  field_level_lineage_available: false
}

/** Why a value of a document is null. */
export const withheld = 'withheld_pending_field_level_source_rights'

/** A typed edge to another structural document; `target_hash` is that document's own `@content_hash`. */
export const edge = (kind: string, token: string, targetHash: string, canonical: string): JsonObject => ({
  edge_kind: kind,
  target_natural_token: token,
  target_hash: targetHash,
  _links: { canonical }
})

/** Labels of `@source_license`, one for each source: the upstreams make no statement about the values. */
export const licenseLabels = (sources: readonly string[]): string[] => sources.map(() => 'noassertion')

/** The upstreams that an answer comes from, where it knows them. */
export const fromSources = (sources: readonly string[]) => ({ sources, sourceLicense: licenseLabels(sources) })

/** Sources of the documents that the catalogue itself puts together. */
export const ownSources = fromSources(['catalogue'])
