import type { JsonSchema } from '../canonical/json.ts'
import type { LoadedCorpus, LoadedDocument } from '../corpus/loaded.ts'
import type { Context } from '../manifest/context.ts'
import { errorCodesOf } from '../manifest/error-codes.ts'
import type { ManifestFile } from '../manifest/manifest-file.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { SourceFile } from '../source/source-file.ts'
import { extendSchema, type DocumentExtension } from './extension.ts'

/** A surface with the manifest file that it was made from. */
export type DraftSurface = Readonly<{ surface: Surface; file: ManifestFile }>

/**
 * A corpus that code reads. `file` is the file that declares it, as displayed in messages; `entry` is the expected
 * schema.
 */
export type CorpusRead = Readonly<{ file: string; corpus: string; entry: JsonSchema }>

/** The content of all roots after each file was checked alone, before the files are compared with each other. */
export type Draft = Readonly<{
  service: Service
  serviceSource: SourceFile
  /** `service.yaml` of each root that has one. */
  services: readonly SourceFile[]
  /**
   * The manifests of the right shape, including those that break a rule of one file: their references are still
   * checked.
   */
  manifests: readonly ManifestFile[]
  corpora: ReadonlyMap<string, LoadedCorpus>
  documents: ReadonlyMap<string, LoadedDocument>
  handlers: Context['handlers']
  /** The file of each handler, as displayed in messages. */
  handlerFiles: ReadonlyMap<string, string>
  /** The members that the roots add to discovery documents. */
  extensions: readonly DocumentExtension[]
  /** The corpora that code declares it reads, each with the schema of what it reads of an entry. */
  reads: readonly CorpusRead[]
  /**
   * Names of all manifests, corpora, documents and handlers, including those with errors, so that a reference to one of
   * them is not reported as a second error.
   */
  names: Readonly<Record<'surfaces' | 'corpora' | 'documents' | 'handlers', ReadonlySet<string>>>
}>

/** Returns what the manifests of a draft may refer to. */
export const contextOf = ({ service, corpora, documents, handlers, extensions }: Draft): Context => ({
  service,
  corpora: new Map([...corpora].map(([name, { corpus }]) => [name, corpus])),
  documents: new Map([...documents].map(([name, { document }]) => [name, document])),
  handlers,
  errors: errorCodesOf(service),
  extended: (document, schema) => extendSchema(extensions, document, schema)
})
