import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ManifestReference } from '../../manifest/kind.ts'
import type { SourceFile } from '../../source/source-file.ts'
import type { Draft } from '../draft.ts'
import { reportUnknown, type ReferenceRule } from './rule.ts'

/**
 * For each kind of reference: the diagnostic code if its target does not exist, what it is called, and how to create
 * it.
 */
const targets: Readonly<
  Record<ManifestReference['to'], Readonly<{ code: DiagnosticCode; noun: string; make: (name: string) => string }>>
> = {
  corpora: { code: 'M402', noun: 'corpus', make: name => `Create \`corpora/${name}/\`.` },
  documents: { code: 'M403', noun: 'document', make: name => `Create \`corpora/documents/${name}.yaml\`.` },
  handlers: { code: 'H101', noun: 'handler', make: name => `Write \`surfaces/handlers/${name}.ts\`.` }
}

/** M402, M403, H101: the corpora, documents and handlers that a surface or the service names must exist. */
export const knownContent: ReferenceRule = ({ service, serviceSource, manifests, names }: Draft) => {
  const check = (source: SourceFile, { to, name, at }: Pick<ManifestReference, 'to' | 'name' | 'at'>): Diagnostic[] => {
    const { code, noun, make } = targets[to]
    return names[to].has(name) ? [] : [reportUnknown(source, code, at, noun, name, names[to], make(name))]
  }
  const members = Object.entries(service.envelope).flatMap(([name, member]) =>
    'corpus' in member
      ? check(serviceSource, { to: 'corpora', name: member.corpus, at: ['envelope', name, 'corpus'] })
      : []
  )
  return [
    ...members,
    ...manifests.flatMap(file => (file.kind.refersTo?.(file) ?? []).flatMap(reference => check(file.source, reference)))
  ]
}
