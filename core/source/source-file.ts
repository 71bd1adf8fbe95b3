import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'
import type { JsonValue } from '../canonical/json.ts'

/** A JSON pointer, unescaped, as a list of its tokens. */
export type Pointer = readonly (string | number)[]

/** A text that was read: its value, its diagnostics, and the place of each value. */
export type SourceFile = Readonly<{
  /** Path as displayed in messages. */
  file: string
  /** Returns a line by number (from 1), without its line end; empty if there is no such line. */
  lineAt: (line: number) => string
  /** `undefined` when the text could not be read. */
  value: JsonValue | undefined
  diagnostics: readonly Diagnostic[]
  /** Returns the place of the key or the value at `pointer`; if it does not exist, of the nearest existing parent. */
  locate: (pointer: Pointer, on?: 'key' | 'value') => Span
}>

/** Start of a file: the place of what is wrong with all of it. */
export const fileStart: Span = { line: 1, column: 1, length: 1 }

/** Returns a text that could not be read, all of whose mistakes are at one place. */
export const unreadText = (file: string, span: Span, lineAt: SourceFile['lineAt'] = () => ''): SourceFile => ({
  file,
  lineAt,
  value: undefined,
  diagnostics: [],
  locate: () => span
})
