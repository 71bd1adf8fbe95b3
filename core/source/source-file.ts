import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'
import type { JsonValue } from '../canonical/json.ts'

/** A JSON pointer, unescaped, as a list of its tokens. */
export type Pointer = readonly (string | number)[]

/** A text that was read: its value, what was wrong with it, and the place of each value. */
export type SourceFile = Readonly<{
  /** Path shown to people. */
  file: string
  /** The text of a line, counted from 1, without its end; empty where there is none. */
  lineAt: (line: number) => string
  /** `undefined` when the text could not be read. */
  value: JsonValue | undefined
  diagnostics: readonly Diagnostic[]
  /** The place of the key or the value at `pointer`; the nearest existing parent when there is none. */
  locate: (pointer: Pointer, on?: 'key' | 'value') => Span
}>
