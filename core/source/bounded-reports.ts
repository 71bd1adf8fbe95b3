import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { reportFile } from './report.ts'

/** Maximum number of diagnostics listed per file; further ones are only counted. */
export const mostReported = 50

/**
 * Collects diagnostics of many files, at most fifty of each. A diagnostic is made only if it is listed, because making
 * it may read the file again.
 */
export class BoundedReports {
  private readonly counts = new Map<string, number>()
  private readonly reports: Diagnostic[] = []

  /** Adds `count` mistakes of a file; `make` returns their diagnostics. */
  add(file: string, count: number, make: () => readonly Diagnostic[]): void {
    const known = this.counts.get(file) ?? 0
    this.counts.set(file, known + count)
    if (known < mostReported) this.reports.push(...make().slice(0, mostReported - known))
  }

  all(): Diagnostic[] {
    const more = [...this.counts].filter(([, count]) => count > mostReported)
    return [
      ...this.reports,
      ...more.map(([file, count]) =>
        reportFile(
          file,
          'C211',
          `${count - mostReported} more mistakes of this file are not listed.`,
          'Correct the listed ones first.'
        )
      )
    ]
  }
}
