import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FolderFile } from '../source/read-folder.ts'
import type { Pointer, SourceFile } from '../source/report.ts'
import type { Corpus, FixedDocument } from './corpus.ts'
import type { CorpusDeclaration } from './declaration.ts'

export type ValuePlace = Readonly<{ source: SourceFile; pointer: Pointer }>

/** An entry as read from a file. Its place is computed only for a diagnostic, because files may be large. */
export type SourceEntry = Readonly<{
  value: JsonValue
  /** Path of the file that contains the entry, as displayed in messages. */
  file: string
  place: () => ValuePlace
  /** Name of a file that contains only this entry, without its ending and language tag. */
  fileName?: string
  /** Returns the place and the hint for a missing field, for file formats in which the hint `Add …:` does not help. */
  missing?: (field: string) => Readonly<{ pointer: Pointer; hint: string }>
}>

export type FormContext = Readonly<{ declaration: CorpusDeclaration; schema: JsonSchema }>

export type EntryForm = Readonly<{
  /** What messages call files of this form. */
  shown: string
  /** Matches the names of files of this form within the folder of the corpus. */
  name: RegExp
  /** Yields the entries and the mistakes of a file. It may stop at a mistake. */
  read: (file: FolderFile, context: FormContext) => Generator<SourceEntry | Diagnostic, void, void>
}>

/** A key of an entry of a corpus (`corpus`) in an entry of this or another corpus, as `x-corpus` declares it. */
export type Reference = Readonly<{
  corpus: string
  key: string
  /** Pointer of the key within the entry that contains it. */
  pointer: Pointer
  file: string
  /** Returns the place in `file` of the entry that contains the key. */
  place: SourceEntry['place']
}>

/** A corpus without mistakes, with the data that is needed to check references between corpora. */
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
