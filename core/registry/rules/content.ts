import type { LoadedCorpus, Reference } from '../../corpus/loaded.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { didYouMean } from '../../diagnostics/suggest.ts'
import type { ManifestReference } from '../../manifest/kind.ts'
import type { Service } from '../../manifest/service.ts'
import { BoundedReports, report, reportFile, type SourceFile } from '../../source/report.ts'
import { checkName, contextOf, referencesOf, type ReferenceRule, type SurfaceRule } from '../draft.ts'
import { showingOne } from '../relations.ts'

/**
 * For each kind of content that a manifest can name: the code if there is no such content, its noun, and how to create
 * it.
 */
const targets: Readonly<
  Record<ManifestReference['to'], Readonly<{ code: DiagnosticCode; noun: string; make: (name: string) => string }>>
> = {
  corpora: { code: 'M402', noun: 'corpus', make: name => `Create \`corpora/${name}/\`.` },
  documents: { code: 'M403', noun: 'document', make: name => `Create \`corpora/documents/${name}.yaml\`.` },
  handlers: { code: 'H101', noun: 'handler', make: name => `Write \`surfaces/handlers/${name}.ts\`.` }
}

/** Returns the corpora from which members of `_meta` are picked, each with the name of its member. */
const corporaOfEnvelope = ({ envelope }: Service): [member: string, corpus: string][] =>
  Object.entries(envelope).flatMap(([name, member]) => ('corpus' in member ? [[name, member.corpus]] : []))

/** M402, M403, H101: the corpora, documents and handlers that a surface or the service names must exist. */
export const knownContent: ReferenceRule = function* ({ service, serviceSource, manifests, names }) {
  const check = (
    source: SourceFile,
    { to, name, at }: Pick<ManifestReference, 'to' | 'name' | 'at'>
  ): Iterable<Diagnostic> => {
    const { code, noun, make } = targets[to]
    return checkName(source, code, at, noun, name, names[to], make(name))
  }
  for (const [member, name] of corporaOfEnvelope(service))
    yield* check(serviceSource, { to: 'corpora', name, at: ['envelope', member, 'corpus'] })
  for (const file of manifests) for (const reference of referencesOf(file)) yield* check(file.source, reference)
}

/**
 * M435: a kind that reads rows names a corpus with a table, and any other kind, and the envelope, one with files of
 * entries.
 */
export const entriesInReach: ReferenceRule = function* ({ service, serviceSource, manifests, corpora }) {
  const rows = (name: string): string | undefined => corpora.get(name)?.corpus.table?.name
  const inTable = (source: SourceFile, at: ManifestReference['at'], name: string): Diagnostic =>
    report(source, 'M435', at, `The entries of \`${name}\` are rows of the table \`${rows(name) ?? ''}\`.`, {
      hint: 'Write `kind: rows` for all, or `kind: row` for one by its key.'
    })
  for (const [member, name] of corporaOfEnvelope(service))
    if (rows(name) !== undefined) yield inTable(serviceSource, ['envelope', member, 'corpus'], name)
  for (const file of manifests)
    for (const { to, name, at } of referencesOf(file)) {
      if (to !== 'corpora' || !corpora.has(name)) continue
      const readsRows = file.kind.reaches.includes('tables')
      if (!readsRows && rows(name) !== undefined) yield inTable(file.source, at, name)
      if (readsRows && rows(name) === undefined)
        yield report(file.source, 'M435', at, `The entries of \`${name}\` are in files, not in a table.`, {
          hint: `Use another kind, or name the \`table\` in \`corpora/${name}/corpus.yaml\`.`
        })
    }
}

/**
 * M408: if there is a corpus `concepts`, the `methodology` of a manifest must be the key of one of its entries of kind
 * `methodology`.
 */
export const knownMethodology: ReferenceRule = function* ({ manifests, corpora }) {
  const concepts = corpora.get('concepts')?.corpus.byKey
  if (concepts === undefined) return
  const known = new Set([...concepts].flatMap(([key, { kind }]) => (kind === 'methodology' ? [key] : [])))
  for (const { source, manifest } of manifests)
    if (manifest.methodology !== undefined)
      yield* checkName(source, 'M408', ['methodology'], 'methodology', manifest.methodology, known)
}

function reportReference({ corpus, key, pointer, place }: Reference, known: ReadonlyMap<string, unknown>): Diagnostic {
  const { source, pointer: base } = place()
  return report(source, 'C301', [...base, ...pointer], `The corpus \`${corpus}\` has no entry \`${key}\`.`, {
    hint: didYouMean(key, known.keys())
  })
}

function danglingReferences({ references }: LoadedCorpus, corpora: ReadonlyMap<string, LoadedCorpus>): Diagnostic[] {
  const reports = new BoundedReports()
  for (const reference of references) {
    const { byKey: known, table } = corpora.get(reference.corpus)?.corpus ?? {}
    // Which rows a table has is known to the database alone.
    if (table === undefined && known?.has(reference.key) === false)
      reports.add(reference.file, 1, () => [reportReference(reference, known)])
  }
  return reports.all()
}

/**
 * C303, C301: `x-corpus` names an existing corpus, and each value of a field with `x-corpus` is the key of one of the
 * entries of that corpus.
 */
export const corpusReferences: ReferenceRule = function* ({ corpora, names }) {
  for (const loaded of corpora.values()) {
    for (const { corpus, place } of loaded.refersTo)
      yield* checkName(place.source, 'C303', place.pointer, 'corpus', corpus, names.corpora)
    yield* danglingReferences(loaded, corpora)
  }
}

/**
 * C305 (warning): `x-corpus` names rows of which no surface shows one, so their keys lead nowhere. Runs only if there
 * are no errors; otherwise, the surface could be the one that was not made.
 */
export const unlinkedKeys: SurfaceRule = function* (surfaces, { corpora }) {
  const ones = showingOne(surfaces.map(({ surface }) => surface))
  for (const { refersTo } of corpora.values())
    for (const { corpus, place } of refersTo)
      if (corpora.get(corpus)?.corpus.table !== undefined && !ones.has(corpus))
        yield report(place.source, 'C305', place.pointer, `No surface shows one row of \`${corpus}\` by its key.`, {
          hint: `Write one with \`pantry new row ${corpus}/entry --corpus ${corpus}\`, or remove \`x-corpus\`.`
        })
}

/** Runs each kind's own check of a manifest against the content that the manifest names. */
export const contentFits: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => file.kind.checkFit?.(file, context) ?? [])
}

/** The corpora that discovery documents read, if a root has them. */
const readByDiscovery = ['concepts', 'concept-kinds', 'ontology']

/**
 * C302, C304 (warnings), H102 (error): corpora, documents and handlers that nothing uses. Runs only if no file alone
 * has errors; otherwise, content could look unused because its manifest was not read.
 */
export const unusedContent: ReferenceRule = function* ({
  service,
  manifests,
  corpora,
  documents,
  handlerFiles,
  reads
}) {
  const used = new Set(manifests.flatMap(referencesOf).map(({ to, name }) => `${to} ${name}`))
  const corporaRead = [...readByDiscovery, ...corporaOfEnvelope(service).map(([, corpus]) => corpus)]
  for (const name of [...corporaRead, ...reads.map(({ corpus }) => corpus)]) used.add(`corpora ${name}`)
  for (const [name, { declaration }] of corpora)
    if (!used.has(`corpora ${name}`))
      yield report(declaration, 'C302', [], `No surface uses the corpus \`${name}\`.`, {
        hint: 'Serve it, declare it under `corpora` in the code that reads it, or delete it.'
      })
  for (const [name, { source }] of documents)
    if (!used.has(`documents ${name}`))
      yield report(source, 'C304', [], `No surface uses the document \`${name}\`.`, { hint: 'Serve it, or delete it.' })
  for (const [id, file] of handlerFiles)
    if (!used.has(`handlers ${id}`))
      yield reportFile(
        file,
        'H102',
        `No manifest uses the handler \`${id}\`.`,
        `Write \`manifests/${id}.yaml\`, or delete the handler.`
      )
}
