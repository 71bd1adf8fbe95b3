import type { ManifestReference } from '../../manifest/kind.ts'
import { report, reportFile } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** The corpora that discovery documents read, if a root has them. */
const readByDiscovery = ['concepts', 'concept-kinds', 'ontology']

/**
 * C302, C304 (warnings), H102: corpora, documents and handlers that no surface uses. Runs only if there are no earlier
 * errors; otherwise, content could look unused because its manifest was not read.
 */
export const unusedContent: ReferenceRule = ({ service, manifests, corpora, documents, handlerFiles, reads }) => {
  const named = manifests.flatMap(file => file.kind.refersTo?.(file) ?? [])
  const used = (to: ManifestReference['to']): ReadonlySet<string> =>
    new Set(named.flatMap(reference => (reference.to === to ? [reference.name] : [])))
  const inEnvelope = Object.values(service.envelope).flatMap(member => ('corpus' in member ? [member.corpus] : []))
  const usedCorpora = new Set([
    ...used('corpora'),
    ...inEnvelope,
    ...readByDiscovery,
    ...reads.map(({ corpus }) => corpus)
  ])
  const [usedDocuments, usedHandlers] = [used('documents'), used('handlers')]
  return [
    ...[...corpora.values()].flatMap(({ corpus, declaration }) =>
      usedCorpora.has(corpus.name)
        ? []
        : [
            report(declaration, 'C302', [], `No surface uses the corpus \`${corpus.name}\`.`, {
              hint: 'Serve it, declare it under `corpora` in the code that reads it, or delete it.'
            })
          ]
    ),
    ...[...documents.values()].flatMap(({ document, source }) =>
      usedDocuments.has(document.name)
        ? []
        : [
            report(source, 'C304', [], `No surface uses the document \`${document.name}\`.`, {
              hint: 'Serve it, or delete it.'
            })
          ]
    ),
    ...[...handlerFiles].flatMap(([id, file]) =>
      usedHandlers.has(id)
        ? []
        : [
            reportFile(
              file,
              'H102',
              `No manifest uses the handler \`${id}\`.`,
              `Write \`manifests/${id}.yaml\`, or delete the file.`
            )
          ]
    )
  ]
}
