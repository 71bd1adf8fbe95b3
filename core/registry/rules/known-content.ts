import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { handlerIdOf } from '../../manifest/handler-id.ts'
import { report } from '../../source/report.ts'
import type { Pointer, SourceFile } from '../../source/source-file.ts'
import type { ReferenceRule } from './rule.ts'

/** M402, M403, H101: the corpus, document or handler behind a surface exists; so do the corpora that the service names. */
export const knownContent: ReferenceRule = ({ service, serviceSource, manifests, names }) => {
  const corpus = (source: SourceFile, pointer: Pointer, name: string): Diagnostic[] => names.corpora.has(name) ? [] : [
    report(source, 'M402', pointer, `There is no corpus \`${name}\`.`, { hint: suggestion(name, [...names.corpora]) ?? `Create \`corpora/${name}/\`.` })
  ]
  const blocks = (['wake', 'joy'] as const).flatMap(block => {
    const name = service[block]?.corpus
    return name === undefined ? [] : corpus(serviceSource, [block, 'corpus'], name)
  })
  return [...blocks, ...manifests.flatMap(({ id, source, manifest }) => {
    switch (manifest.kind) {
      case 'collection': case 'entry': return corpus(source, ['corpus'], manifest.corpus)
      case 'document': return names.documents.has(manifest.document) ? [] : [
        report(source, 'M403', ['document'], `There is no document \`${manifest.document}\`.`, { hint: suggestion(manifest.document, [...names.documents]) ?? `Create \`corpora/documents/${manifest.document}.yaml\`.` })
      ]
      case 'handler': {
        const handler = handlerIdOf(id, manifest)
        const reads = (manifest.reads ?? []).flatMap((name, index) => corpus(source, ['reads', index], name))
        return names.handlers.has(handler) ? reads : [...reads, report(source, 'H101', [manifest.handler === undefined ? 'kind' : 'handler'], `There is no handler \`${handler}\`.`, {
          hint: suggestion(handler, [...names.handlers]) ?? `Write \`surfaces/handlers/${handler}.ts\`.`
        })]
      }
      case 'status-only': case 'witness': case 'discovery': return []
    }
  })]
}
