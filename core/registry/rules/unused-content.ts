import type { Reference } from '../../manifest/kind.ts'
import { report, reportFile } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** C302, C304 (warnings), H102: what no surface uses. Runs only when every manifest was read, so that nothing is unused by mistake. */
export const unusedContent: ReferenceRule = ({ service, manifests, corpora, documents, handlerFiles }) => {
  const named = manifests.flatMap(file => file.kind.refersTo?.(file) ?? [])
  const used = (to: Reference['to']): ReadonlySet<string> => new Set(named.flatMap(reference => reference.to === to ? [reference.name] : []))
  const usedCorpora = new Set([...used('corpora'), ...Object.values(service.envelope).flatMap(member => 'corpus' in member ? [member.corpus] : []), 'concepts'])
  const [usedDocuments, usedHandlers] = [used('documents'), used('handlers')]
  return [
    ...[...corpora.values()].flatMap(({ corpus, declaration, usedByCode }) => usedByCode || usedCorpora.has(corpus.name) ? [] : [
      report(declaration, 'C302', [], `No surface uses the corpus \`${corpus.name}\`.`, { hint: 'Serve it, write `used_by: code`, or delete it.' })
    ]),
    ...[...documents.values()].flatMap(({ document, source }) => usedDocuments.has(document.name) ? [] : [
      report(source, 'C304', [], `No surface uses the document \`${document.name}\`.`, { hint: 'Serve it, or delete it.' })
    ]),
    ...[...handlerFiles].flatMap(([id, file]) => usedHandlers.has(id) ? [] : [
      reportFile(file, 'H102', `No manifest uses the handler \`${id}\`.`, `Write \`manifests/${id}.yaml\`, or delete the file.`)
    ])
  ]
}
