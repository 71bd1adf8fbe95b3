import { handlerIdOf } from '../../manifest/handler-id.ts'
import { report, reportFile } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** C302, C304 (warnings), H102: what no surface uses. Runs only when every manifest was read, so that nothing is unused by mistake. */
export const unusedContent: ReferenceRule = ({ service, manifests, corpora, documents, handlerFiles }) => {
  const usedCorpora = new Set([service.wake?.corpus, service.joy?.corpus, 'concepts'])
  const usedDocuments = new Set<string>()
  const usedHandlers = new Set<string>()
  for (const { id, manifest } of manifests) {
    if (manifest.kind === 'collection' || manifest.kind === 'entry') usedCorpora.add(manifest.corpus)
    if (manifest.kind === 'document') usedDocuments.add(manifest.document)
    if (manifest.kind === 'handler') {
      usedHandlers.add(handlerIdOf(id, manifest))
      for (const name of manifest.reads ?? []) usedCorpora.add(name)
    }
  }
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
