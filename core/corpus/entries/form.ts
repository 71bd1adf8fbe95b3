import type { JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { FolderFile } from '../../source/read-folder.ts'
import type { Pointer } from '../../source/source-file.ts'
import type { CorpusDeclaration } from '../declaration.ts'
import type { ValuePlace } from '../loaded.ts'

/** An entry as read from a file. Its place is computed only for a mistake, because files may be large. */
export type Placed = Readonly<{
  value: JsonValue
  /** Path of the file, as displayed in messages. */
  file: string
  place: () => ValuePlace
  /** Name without ending of a file that contains only this entry. */
  fileName?: string
  /** Returns the place and the hint for a missing field, for file formats in which the hint `Add …:` does not help. */
  missing?: (field: string) => Readonly<{ pointer: Pointer; hint: string }>
}>

/** What a file format may need to know about the corpus. */
export type FormContext = Readonly<{ declaration: CorpusDeclaration; schema: JsonSchema }>

/** A file format of entries. */
export type EntryForm = Readonly<{
  /** The name of its files in messages. */
  shown: string
  /** Matches the names of its files within the folder of the corpus. */
  name: RegExp
  /** Yields every entry and every mistake, in the order of the file. */
  read: (file: FolderFile, given: FormContext) => Generator<Placed | Diagnostic, void, void>
}>
