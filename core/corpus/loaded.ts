import type { Pointer, SourceFile } from '../source/source-file.ts'
import type { Corpus } from './corpus.ts'
import type { FixedDocument } from './document.ts'

/** The place of a value: a file and a pointer into it. */
export type ValuePlace = Readonly<{ source: SourceFile; pointer: Pointer }>

/** A field of an entry that contains the key of an entry of another corpus (`x-corpus`). */
export type Reference = Readonly<{
  corpus: string
  key: string
  /** Pointer within the entry. */
  pointer: Pointer
  file: string
  /** Returns the place of the entry. */
  place: () => ValuePlace
}>

/** A checked corpus, with the data that is needed to check references between corpora. */
export type LoadedCorpus = Readonly<{
  corpus: Corpus
  root: string
  declaration: SourceFile
  schemaSource: SourceFile
  references: readonly Reference[]
  /** Corpora that the schema refers to, each with the place of its `x-corpus`. */
  refersTo: readonly Readonly<{ corpus: string; place: ValuePlace }>[]
}>

export type LoadedDocument = Readonly<{ document: FixedDocument; root: string; source: SourceFile }>
