import type { DiagnosticCode } from './catalog.ts'

/** A place in a text file; lines and columns count from 1, columns in UTF-16 code units. */
export type Span = Readonly<{ line: number; column: number; length: number }>

/** One mistake of a contributor, with its place. Diagnostics are returned, never thrown. */
export type Diagnostic = Readonly<{
  code: DiagnosticCode
  severity: 'error' | 'warning'
  /** Path as displayed in messages, relative to the folder Pantry was started in. */
  file: string
  span: Span
  message: string
  /** How to correct the mistake. */
  hint?: string
  /** The text of the line at `span`, for the code frame. */
  frame?: string
}>

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts diagnostics by file, place, code and message, the order of every output. */
export const sortDiagnostics = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  [...diagnostics].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.span.line - b.span.line ||
      a.span.column - b.span.column ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message)
  )

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(one => one.severity === 'error')

/** The kind of schema rule that a value breaks. */
export type IssueRule =
  'unknown-key' | 'missing' | 'type' | 'enum' | 'const' | 'pattern' | 'length' | 'range' | 'format' | 'unique' | 'other'

/** One way in which a value breaks its schema, in a contributor's file or a caller's request. */
export type Issue = Readonly<{
  /**
   * JSON pointer to the value; for `missing` to the object that lacks the key, for an unknown or malformed key to the
   * key.
   */
  pointer: readonly (string | number)[]
  on: 'key' | 'value'
  rule: IssueRule
  message: string
  /** Allowed values; for `unknown-key`, the keys that the object may have. */
  allowed?: readonly unknown[]
  /** The key that is missing, unknown or of a wrong form. */
  key?: string
  /** The `description` in the schema whose rule the value breaks. */
  description?: string
}>

/** Returns the name of a place for messages, such as `tags[0].name`. */
export function nameOfPlace(pointer: Issue['pointer']): string {
  const name = pointer.reduce<string>(
    (path, token) => (typeof token === 'number' ? `${path}[${token}]` : path === '' ? token : `${path}.${token}`),
    ''
  )
  return name === '' ? 'The value' : `\`${name}\``
}

/** Returns a count with its noun, such as `2 errors`; `many` is the plural if it is not formed with `s`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Returns the words, each in backticks, with `between` between them. */
export const quotedList = (words: Iterable<string>, between = ', '): string =>
  Array.from(words, word => `\`${word}\``).join(between)
