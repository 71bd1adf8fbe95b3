import type { JsonValue } from '../canonical/json.ts'
import { catalog, type DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'

/** The unescaped tokens of a JSON pointer. */
export type Pointer = readonly (string | number)[]

/** A file whose text was read: its value, its diagnostics, and functions that find places and lines. */
export type SourceFile = Readonly<{
  /** Path as displayed in messages. */
  file: string
  /** Returns a line by its number from 1, without its end; an empty text if there is no such line. */
  lineAt: (line: number) => string
  /** `undefined` if the text could not be read. */
  value: JsonValue | undefined
  diagnostics: readonly Diagnostic[]
  /** Returns the place of the key or the value at `pointer`; if it does not exist, of the nearest existing parent. */
  locate: (pointer: Pointer, on?: 'key' | 'value') => Span
}>

/** The place of a diagnostic about a whole file. */
export const fileStart: Span = { line: 1, column: 1, length: 1 }

/** Returns a SourceFile without a value, for a text that could not be read. All its diagnostics are at one place. */
export const unreadText = (file: string, span: Span, lineAt: SourceFile['lineAt'] = () => ''): SourceFile => ({
  file,
  lineAt,
  value: undefined,
  diagnostics: [],
  locate: () => span
})

/**
 * Returns a diagnostic at the value (or the key) that a pointer names in a file, with the line as code frame unless it
 * is empty.
 */
export function report(
  source: SourceFile,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
  more: { on?: 'key' | 'value'; hint?: string | undefined } = {}
): Diagnostic {
  const span = source.locate(pointer, more.on)
  const frame = source.lineAt(span.line)
  return {
    code,
    severity: catalog[code].severity,
    file: source.file,
    span,
    message,
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    ...(frame === '' ? {} : { frame })
  }
}

/** Returns a diagnostic about a whole file or folder, without a code frame. */
export const reportFile = (file: string, code: DiagnosticCode, message: string, hint?: string): Diagnostic =>
  report(unreadText(file, fileStart), code, [], message, { hint })

/** Maximum number of diagnostics of one file that BoundedReports lists; it counts further ones. */
export const maxReported = 50

/**
 * Collects diagnostics, at most `maxReported` of each file. It does not call `make` for further ones, because making
 * one may read the file again.
 */
export class BoundedReports {
  private readonly counts = new Map<string, number>()
  private readonly reports: Diagnostic[] = []

  /** Adds the `count` diagnostics of a file that `make` returns. */
  add(file: string, count: number, make: () => readonly Diagnostic[]): void {
    const known = this.counts.get(file) ?? 0
    this.counts.set(file, known + count)
    if (known < maxReported) this.reports.push(...make().slice(0, maxReported - known))
  }

  all(): Diagnostic[] {
    const more = [...this.counts].filter(([, count]) => count > maxReported)
    const unlisted = more.map(([file, count]) => {
      const message = `${count - maxReported} more mistakes of this file are not listed.`
      return reportFile(file, 'C211', message, 'Correct the listed ones first.')
    })
    return [...this.reports, ...unlisted]
  }
}
