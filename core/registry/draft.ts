import type { JsonSchema } from '../canonical/json.ts'
import type { LoadedCorpus, LoadedDocument } from '../corpus/loaded.ts'
import type { Context } from '../manifest/context.ts'
import { errorCodesOf } from '../manifest/error-codes.ts'
import type { ManifestFile } from '../manifest/manifest-file.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { SourceFile } from '../source/source-file.ts'
import { extendSchema, type DocumentExtension } from './extension.ts'

/** A surface with the file it came from. */
export type DraftSurface = Readonly<{ surface: Surface; file: ManifestFile }>

/** `file` is where code declares it, as shown to people. */
export type CorpusRead = Readonly<{ file: string; corpus: string; entry: JsonSchema }>

/** Everything that was read and is right in itself, before the files are compared with each other. */
export type Draft = Readonly<{
  service: Service
  serviceSource: SourceFile
  /** `service.yaml` of each root that has one. */
  services: readonly SourceFile[]
  /**
   * Manifests of the right shape, also those that break a rule of one file: what they name is looked at all the same.
   */
  manifests: readonly ManifestFile[]
  corpora: ReadonlyMap<string, LoadedCorpus>
  documents: ReadonlyMap<string, LoadedDocument>
  handlers: Context['handlers']
  /** File of each handler, as shown to people. */
  handlerFiles: ReadonlyMap<string, string>
  /** What the roots add to discovery documents. */
  extensions: readonly DocumentExtension[]
  /** What code declares that it reads: a corpus, and the schema of what it reads of an entry. */
  reads: readonly CorpusRead[]
  /**
   * Names of all manifests, corpora, documents and handlers, also of those with mistakes: a reference to one of them is
   * not another mistake.
   */
  names: Readonly<Record<'surfaces' | 'corpora' | 'documents' | 'handlers', ReadonlySet<string>>>
}>

/** What a manifest of the draft may refer to. */
export const contextOf = ({ service, corpora, documents, handlers, extensions }: Draft): Context => ({
  service,
  corpora: new Map([...corpora].map(([name, { corpus }]) => [name, corpus])),
  documents: new Map([...documents].map(([name, { document }]) => [name, document])),
  handlers,
  errors: errorCodesOf(service),
  extended: (document, schema) => extendSchema(extensions, document, schema)
})
