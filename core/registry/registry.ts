import type { Corpus } from '../corpus/corpus.ts'
import type { FixedDocument } from '../corpus/document.ts'
import type { Kind } from '../manifest/kind.ts'
import type { Service } from '../manifest/service.ts'
import type { Asset } from './assets.ts'
import type { DocumentExtension } from './extension.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import type { Surface } from '../manifest/surface.ts'

/** All declarations of the roots, checked and frozen. Every discovery document is a pure function of this value. */
export type Registry = Readonly<{
  service: Service
  /** The kinds that a manifest may have. */
  kinds: readonly Kind[]
  /** Names of the joined roots, in load order. */
  roots: readonly string[]
  /** All surfaces, sorted by path and then method. */
  surfaces: readonly Surface[]
  /** The forms of pages, which have a route and are in no document. */
  forms: readonly Surface[]
  byId: ReadonlyMap<string, Surface>
  corpora: ReadonlyMap<string, Corpus>
  documents: ReadonlyMap<string, FixedDocument>
  /** The bytes of the manifests, by file path as displayed in messages. */
  manifests: ReadonlyMap<string, Uint8Array>
  /** The files that pages load, by file name. */
  assets: ReadonlyMap<string, Asset>
  /** The members that the roots add to discovery documents. */
  extensions: readonly DocumentExtension[]
  /** The answers to the examples, as last recorded. */
  answers: RecordedAnswers
  /** Lowercase hex SHA-256 over everything that was loaded: equal digests mean equal documents. */
  digest: string
}>
