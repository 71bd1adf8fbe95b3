import type { JsonSchema } from '../canonical/json.ts'
import type { LoadedCorpus, LoadedDocument } from '../corpus/loaded.ts'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestionHint } from '../diagnostics/suggest.ts'
import type { Context, ManifestFile, ManifestReference } from '../manifest/kind.ts'
import { errorCodesOf } from '../manifest/service-defaults.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { FolderFile } from '../source/read-folder.ts'
import { report, type Pointer, type SourceFile } from '../source/report.ts'
import type { NamesFile } from './recorded-names.ts'
import { extendSchema, type DocumentExtension, type Registry } from './registry.ts'
import type { TranslationFile } from './translations.ts'

export type DraftSurface = Readonly<{ surface: Surface; file: ManifestFile }>

/** A corpus that code reads, the file of that code, and the schema of an entry that the code expects. */
export type CorpusRead = Readonly<{ file: string; corpus: string; entry: JsonSchema }>

/** The content of all roots, of which each file was checked alone. The files are not yet compared with each other. */
export type Draft = Readonly<{
  service: Service
  serviceSource: SourceFile
  /** The `service.yaml` of each root that has one. */
  services: readonly SourceFile[]
  /**
   * The manifests that match their schema, also those that break a rule for single files: their references are still
   * checked.
   */
  manifests: readonly ManifestFile[]
  corpora: ReadonlyMap<string, LoadedCorpus>
  documents: ReadonlyMap<string, LoadedDocument>
  handlers: Context['handlers']
  /** The file of each handler, by the id of the handler. Paths are as displayed in messages. */
  handlerFiles: ReadonlyMap<string, string>
  extensions: readonly DocumentExtension[]
  /** The files of translations of all roots but the framework's, and the texts of all roots by language. */
  translations: Readonly<{ own: readonly TranslationFile[]; joined: Registry['dictionaries'] }>
  reads: readonly CorpusRead[]
  /** The files of `surfaces/assets` of all roots. */
  assets: readonly FolderFile[]
  /** The recorded names of operations; undefined if the service records none. */
  recorded: NamesFile | undefined
  /** All names, also of files with errors, so that a reference to one of them is not reported as a second error. */
  names: Readonly<Record<'surfaces' | 'corpora' | 'documents' | 'handlers', ReadonlySet<string>>>
}>

export const contextOf = ({ service, corpora, documents, handlers, extensions }: Draft): Context => ({
  service,
  corpora: new Map([...corpora].map(([name, { corpus }]) => [name, corpus])),
  documents: new Map([...documents].map(([name, { document }]) => [name, document])),
  handlers,
  errors: errorCodesOf(service),
  extended: (document, schema) => extendSchema(extensions, document, schema)
})

/** Returns the corpora, documents and handlers that a manifest names. */
export const referencesOf = (file: ManifestFile): readonly ManifestReference[] => file.kind.refersTo?.(file) ?? []

/** A check of what manifests, corpora and handlers say about each other, before the surfaces are made. */
export type ReferenceRule = (draft: Draft) => Iterable<Diagnostic>

/** A check of the finished surfaces. `draft`: also what did not become a surface. */
export type SurfaceRule = (surfaces: readonly DraftSurface[], draft: Draft) => Iterable<Diagnostic>

/**
 * Reports a name that is not one of the known ones. `noun`: what the name should name; `otherwise`: the hint if no
 * known name can be suggested.
 */
export function* checkName(
  source: SourceFile,
  code: DiagnosticCode,
  pointer: Pointer,
  noun: string,
  name: string,
  known: ReadonlySet<string>,
  otherwise?: string
): Generator<Diagnostic> {
  if (!known.has(name))
    yield report(source, code, pointer, `There is no ${noun} \`${name}\`.`, {
      hint: suggestionHint(name, [...known]) ?? otherwise
    })
}
