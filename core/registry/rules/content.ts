import type { LoadedCorpus, Reference } from '../../corpus/loaded.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest } from '../../diagnostics/suggest.ts'
import type { ManifestReference } from '../../manifest/kind.ts'
import { BoundedReports, report, reportFile, type SourceFile } from '../../source/report.ts'
import { contextOf, reportUnknown, type Draft, type ReferenceRule } from '../draft.ts'

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

function reportReference({ corpus, key, pointer, place }: Reference, known: ReadonlyMap<string, unknown>): Diagnostic {
  const { source, pointer: base } = place()
  const nearest = suggest(key, known.keys())
  return report(source, 'C301', [...base, ...pointer], `The corpus \`${corpus}\` has no entry \`${key}\`.`, {
    hint: nearest === undefined ? undefined : `Did you mean \`${nearest}\`?`
  })
}

function danglingReferences({ references }: LoadedCorpus, corpora: ReadonlyMap<string, LoadedCorpus>): Diagnostic[] {
  const reports = new BoundedReports()
  for (const reference of references) {
    const known = corpora.get(reference.corpus)?.corpus.byKey
    if (known?.has(reference.key) === false) reports.add(reference.file, 1, () => [reportReference(reference, known)])
  }
  return reports.all()
}

/**
 * C303, C301: `x-corpus` must name an existing corpus, and each value of such a field must be the key of one of its
 * entries.
 */
export const corpusReferences: ReferenceRule = ({ corpora, names }) =>
  [...corpora.values()].flatMap((one): Diagnostic[] => [
    ...one.refersTo.flatMap(({ corpus, place }) =>
      names.corpora.has(corpus)
        ? []
        : [reportUnknown(place.source, 'C303', place.pointer, 'corpus', corpus, names.corpora)]
    ),
    ...danglingReferences(one, corpora)
  ])

/** Runs each kind's own check of a manifest against the content that the manifest names. */
export const contentFits: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => file.kind.checkFit?.(file, context) ?? [])
}

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
              `Write \`manifests/${id}.yaml\`, or delete the handler.`
            )
          ]
    )
  ]
}
