import { reportUnknown, type ReferenceRule } from './rule.ts'

/**
 * M408: if there is a corpus `concepts`, a `methodology` must be the key of one of its entries of kind `methodology`.
 */
export const knownMethodology: ReferenceRule = ({ manifests, corpora }) => {
  const concepts = corpora.get('concepts')?.corpus
  if (concepts === undefined) return []
  const known = [...concepts.byKey].filter(([, entry]) => entry['kind'] === 'methodology').map(([key]) => key)
  return manifests.flatMap(({ source, manifest }) =>
    manifest.methodology === undefined || known.includes(manifest.methodology)
      ? []
      : [reportUnknown(source, 'M408', ['methodology'], 'methodology', manifest.methodology, known)]
  )
}
