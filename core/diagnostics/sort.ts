import type { Diagnostic } from './diagnostic.ts'

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
