import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'
import type { Cut, CutProblem, Start } from './cut.ts'
import { filePieces } from './file-pieces.ts'
import type { FolderFile } from './read-folder.ts'
import { report } from './report.ts'
import { unreadText, type SourceFile } from './source-file.ts'

/**
 * Place of a record in a data file, so that the record can be read again when the place of one of its values is needed.
 */
export type RecordPlace = Start & Readonly<{ to: number }>

/** Longest text before a record on its line that a code frame shows, in bytes. */
const longestLead = 4096

export const placeOf = ({ from, lineFrom, line, column, bytes }: Cut): RecordPlace => ({
  from,
  lineFrom,
  line,
  column,
  to: from + bytes.length
})

/** Converts a span within the text of a record to a span of its file. */
export const shifted = ({ line, column }: Start, span: Span): Span => ({
  line: line + span.line - 1,
  column: span.line === 1 ? column + span.column - 1 : span.column,
  length: span.length
})

/** Reads the text of a record, and the lines around it, again from its file. */
export function readRecord(
  path: string,
  { from, lineFrom, line, to }: RecordPlace
): { text: string; lineAt: SourceFile['lineAt'] } {
  const hasLead = from - lineFrom <= longestLead
  const bytes = Buffer.concat([...filePieces(path, hasLead ? lineFrom : from, to)])
  const lines = bytes.toString().split('\n')
  return {
    text: bytes.toString('utf8', hasLead ? from - lineFrom : 0),
    // There is no code frame for the first line of a record that begins far into its line.
    lineAt: wanted => (wanted === line && !hasLead ? '' : (lines[wanted - line] ?? '').replace(/\r$/, ''))
  }
}

/** Longest text after a mistake that a code frame shows, in bytes. */
const longestTail = 200

/** Returns the diagnostic for a mistake in the text of a data file, with its line. */
export function reportCut(
  file: FolderFile,
  { code, message, hint, ...start }: CutProblem,
  to = start.from + longestTail,
  span: Span = { ...start, length: 1 }
): Diagnostic {
  const { lineAt } = readRecord(file.real, { ...start, to })
  const { line, column, length } = span
  return report(unreadText(file.path, { line, column, length }, lineAt), code, [], message, { hint })
}
