import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FolderFile } from '../source/read-folder.ts'
import type { Pointer, SourceFile } from '../source/report.ts'
import type { Corpus, FixedDocument } from './corpus.ts'
import type { CorpusDeclaration } from './declaration.ts'

export type ValuePlace = Readonly<{ source: SourceFile; pointer: Pointer }>

/** An entry as read from a file. Its place is computed only for a mistake, because files may be large. */
export type SourceEntry = Readonly<{
  value: JsonValue
  /** Path of the file, as displayed in messages. */
  file: string
  place: () => ValuePlace
  /** Name without ending of a file that contains only this entry. */
  fileName?: string
  /** Returns the place and the hint for a missing field, for file formats in which the hint `Add …:` does not help. */
  missing?: (field: string) => Readonly<{ pointer: Pointer; hint: string }>
}>

export type FormContext = Readonly<{ declaration: CorpusDeclaration; schema: JsonSchema }>

export type EntryForm = Readonly<{
  /** The name of its files in messages. */
  shown: string
  /** Matches the names of its files within the folder of the corpus. */
  name: RegExp
  /** Yields every entry and every mistake, in the order of the file. */
  read: (file: FolderFile, context: FormContext) => Generator<SourceEntry | Diagnostic, void, void>
}>

/** A field of an entry that contains the key of an entry of another corpus (`x-corpus`). */
export type Reference = Readonly<{
  corpus: string
  key: string
  /** Within the entry. */
  pointer: Pointer
  file: string
  /** The place of the entry. */
  place: SourceEntry['place']
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
