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
