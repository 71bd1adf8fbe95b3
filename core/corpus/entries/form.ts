import type { JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { FolderFile } from '../../source/read-folder.ts'
import type { Pointer } from '../../source/source-file.ts'
import type { CorpusDeclaration } from '../declaration.ts'
import type { Place } from '../loaded.ts'

/** An entry as it was read. Its place is looked up only for a mistake: files may be large. */
export type Placed = Readonly<{
  value: JsonValue
  /** Path of its file, as shown to people. */
  file: string
  place: () => Place
  /** Name of the file that holds this one entry, without its ending. */
  fileName?: string
  /** What a mistake says about a field that is not there, where `Add …:` is no advice. */
  missing?: (field: string) => Readonly<{ pointer: Pointer; hint: string }>
}>

/** What a form may need to know of its corpus. */
export type Given = Readonly<{ declaration: CorpusDeclaration; schema: JsonSchema }>

/** One way to write entries. */
export type EntryForm = Readonly<{
  /** What messages call its files. */
  shown: string
  /** Names within the folder of the corpus. */
  name: RegExp
  /** Every entry and every mistake of the text, in the order of the file. */
  read: (file: FolderFile, given: Given) => Generator<Placed | Diagnostic, void, void>
}>
