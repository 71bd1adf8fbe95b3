import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { reportFile } from './report.ts'

/** A file with more mistakes than this is no longer worth a list; the others are counted. */
export const mostReported = 50

/**
 * Diagnostics of many files, at most fifty of each; a report is made only if it is shown, because it may have to read
 * its file again.
 */
export class BoundedReports {
  private readonly counts = new Map<string, number>()
  private readonly reports: Diagnostic[] = []

  /** Adds `count` mistakes of a file. */
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
