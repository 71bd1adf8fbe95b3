import type { DiagnosticCode } from './catalog.ts'

/** A place in a text file; lines and columns count from 1, columns in UTF-16 code units. */
export type Span = Readonly<{ line: number; column: number; length: number }>

type Severity = 'error' | 'warning'

/** One mistake of a contributor, with its place. Diagnostics are returned, never thrown. */
export type Diagnostic = Readonly<{
  code: DiagnosticCode
  severity: Severity
  /** Path as displayed in messages, relative to the folder Pantry was started in. */
  file: string
  span: Span
  /** What is wrong; names the thing in backticks. */
  message: string
  /** How to correct it. */
  hint?: string
  /** The text of the line, for the code frame. */
  frame?: string
}>

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts by file, place, code and message: the order of every output. */
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

/**
 * One way in which a value breaks its schema. It is plain data, used for contributors' files and for callers' requests.
 */
export type Issue = Readonly<{
  /**
   * Tokens of a JSON pointer to the place: for `missing`, the object that lacks the key; for `unknown-key`, the key
   * itself.
   */
  pointer: readonly (string | number)[]
  on: 'key' | 'value'
  rule: IssueRule
  /** A sentence that names the field in backticks. */
  message: string
  /** Allowed values (`enum`, `const`), or the keys the object may have (`unknown-key`). */
  allowed?: readonly unknown[]
  /** The key that is missing or unknown. */
  key?: string
  /** The description of the value in the schema, if there is one. */
  description?: string
}>

/** Returns the name of a place for messages: the path of names, with list positions in brackets. */
export function nameOfPlace(pointer: Issue['pointer']): string {
  const name = pointer.reduce<string>(
    (path, token) => (typeof token === 'number' ? `${path}[${token}]` : path === '' ? token : `${path}.${token}`),
    ''
  )
  return name === '' ? 'The value' : `\`${name}\``
}

/**
 * Returns a count with its noun, such as `1 error` or `2 errors`; `many` is the plural if it is not formed with `s`.
 */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Returns words as messages name them: each between backticks, with `between` in between. */
export const quotedList = (words: Iterable<string>, between = ', '): string =>
  Array.from(words, word => `\`${word}\``).join(between)
