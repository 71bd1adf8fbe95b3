import type { Pointer, SourceFile } from '../source/source-file.ts'
import type { Corpus } from './corpus.ts'
import type { FixedDocument } from './document.ts'

/** The place of a value: a file and a pointer into it. */
export type Place = Readonly<{ source: SourceFile; pointer: Pointer }>

/** A field of an entry that holds the key of an entry of another corpus (`x-corpus`). */
export type Reference = Readonly<{
  corpus: string
  key: string
  /** Within its entry. */
  pointer: Pointer
  file: string
  /** Of its entry. */
  place: () => Place
}>

/** A checked corpus with what only the check of all corpora together needs. */
export type LoadedCorpus = Readonly<{
  corpus: Corpus
  root: string
  declaration: SourceFile
  schemaSource: SourceFile
  references: readonly Reference[]
  /** Corpora that the schema refers to, with the place of the keyword. */
  refersTo: readonly Readonly<{ corpus: string; place: Place }>[]
}>

export type LoadedDocument = Readonly<{ document: FixedDocument; root: string; source: SourceFile }>
