import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'
import { cutSync, endOf, JsonParts, type Cutter } from './cut-json.ts'
import { filePieces, type FolderFile } from './read-folder.ts'
import { report, unreadText, type SourceFile } from './report.ts'

/**
 * Start of a part of a file: `from` is its offset and `lineFrom` that of its line, in bytes; `line` and `column` count
 * from 1, `column` in UTF-16 code units.
 */
export type FilePosition = Readonly<{ from: number; lineFrom: number; line: number; column: number }>

export type Cut = FilePosition & Readonly<{ bytes: Buffer }>

type Problem = Readonly<{ code: DiagnosticCode; message: string; hint: string }>

/** Why cutting a file into parts stopped, and where. */
export type CutProblem = FilePosition & Problem

/**
 * Size in bytes above which a record (an entry or a row) that is not complete yet is refused, because a record is held
 * in memory as a whole.
 */
export const maxRecordBytes = 1_048_576

const tooLarge = (what: string, hint: string): Problem => ({
  code: 'M109',
  message: `${what} has more than ${maxRecordBytes} bytes.`,
  hint
})

const newline = 0x0a
const quote = 0x22

/**
 * Yields complete lines, as many at once as each piece of the file completes. With `quoted`, a newline between double
 * quotes does not end a line (RFC 4180 §2.6). A line that is too long is a problem and the last part.
 */
export function* cutLines(pieces: Iterable<Buffer>, { quoted = false } = {}): Generator<Cut | CutProblem> {
  let held: Buffer = Buffer.alloc(0)
  let isQuoted = false
  // `newlines` counts the newlines since the last yielded line.
  let [from, line, newlines] = [0, 1, 0]
  const start = (): FilePosition => ({ from, lineFrom: from, line, column: 1 })
  for (const piece of pieces) {
    let [end, ended] = [0, 0]
    const next = (at: number): number => (quoted ? at : piece.indexOf(newline, at))
    for (let at = next(0); at !== -1 && at < piece.length; at = next(at + 1)) {
      if (quoted && piece[at] === quote) isQuoted = !isQuoted
      if (piece[at] !== newline) continue
      newlines++
      if (!isQuoted) [end, ended] = [held.length + at + 1, newlines]
    }
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece])
    if (end > 0) yield { ...start(), bytes: bytes.subarray(0, end) }
    held = bytes.subarray(end)
    from += end
    line += ended
    newlines -= ended
    if (held.length > maxRecordBytes) {
      const hint = quoted ? 'Is a quote left open?' : 'Write each entry on a line of its own.'
      yield { ...start(), ...tooLarge('The line', hint) }
      return
    }
  }
  if (held.length > 0) yield { ...start(), bytes: held }
}

class Position {
  private from = 0
  private lineFrom = 0
  private line = 1
  private column = 1

  pass(bytes: Buffer, begin: number, end: number): void {
    const before = this.from - begin
    let { lineFrom, line, column } = this
    for (let at = begin; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte === newline) [lineFrom, line, column] = [before + at + 1, line + 1, 1]
      // A character is counted at its first byte of UTF-8; one of four bytes is two code units of UTF-16.
      else if ((byte & 0xc0) !== 0x80) column += byte >= 0xf0 ? 2 : 1
    }
    this.from = before + end
    this.lineFrom = lineFrom
    this.line = line
    this.column = column
  }

  here(): FilePosition {
    const { from, lineFrom, line, column } = this
    return { from, lineFrom, line, column }
  }
}

const problems = {
  empty: { code: 'M113', message: 'The file is empty.', hint: 'Write a list of entries, or `[]`.' },
  'no list': { code: 'M118', message: 'The file must hold a list of entries.', hint: 'Start it with `[`.' },
  'no end': { code: 'M118', message: 'The list does not end.', hint: 'Close it with `]`.' },
  'too long': tooLarge('The entry', 'Is a bracket or a quote left open?'),
  more: { code: 'M118', message: 'More text follows the list.', hint: 'Remove it.' }
} as const satisfies Readonly<Record<string, Problem>>

function* itemsOfList(): Cutter<Buffer, Cut | CutProblem> {
  const position = new Position()
  const json = new JsonParts((bytes, from, to) => {
    position.pass(bytes, from, to)
  })
  const problem = (name: keyof typeof problems, start = position.here()): CutProblem => ({
    ...start,
    ...problems[name]
  })
  const first = json.sign() ?? (yield* json.nextSign())
  if (first !== '[') {
    yield problem(first === '' ? 'empty' : 'no list')
    return
  }
  json.skip()
  // `[]` has no item; an empty place beside a comma is an item that cannot be read.
  let isOpen = (json.sign() ?? (yield* json.nextSign())) !== ']'
  while (isOpen) {
    if (json.sign() === undefined) yield* json.nextSign()
    const start = position.here()
    const bytes = json.part(endOf.item) ?? (yield* json.rest(endOf.item, maxRecordBytes))
    if (typeof bytes === 'string') {
      yield problem(bytes, start)
      return
    }
    yield { ...start, bytes }
    isOpen = (json.sign() ?? (yield* json.nextSign())) === ','
    if (isOpen) json.skip()
  }
  json.skip()
  if ((json.sign() ?? (yield* json.nextSign())) !== '') yield problem('more')
}

/**
 * Yields the texts of the items of a JSON list (RFC 8259). A text may be invalid JSON; a CutProblem is the last part.
 */
export const cutItems = (pieces: Iterable<Buffer>): Generator<Cut | CutProblem> => cutSync(pieces, itemsOfList())

/**
 * Place of a record in a data file. The record is read again from there when the place of one of its values is needed.
 */
export type RecordPlace = FilePosition & Readonly<{ to: number }>

/** Maximum number of bytes before a record on its line with which a code frame can be shown. */
const maxLeadBytes = 4096

export const placeOf = ({ from, lineFrom, line, column, bytes }: Cut): RecordPlace => ({
  from,
  lineFrom,
  line,
  column,
  to: from + bytes.length
})

/** Converts a span within the text of a record to a span of its file. */
export const shiftSpan = ({ line, column }: FilePosition, span: Span): Span => ({
  line: line + span.line - 1,
  column: span.line === 1 ? column + span.column - 1 : span.column,
  length: span.length
})

/**
 * Reads the text of a record again from its file. `lineAt` returns the lines from that on which the record begins to
 * its end.
 */
export function readRecord(
  path: string,
  { from, lineFrom, line, to }: RecordPlace
): { text: string; lineAt: SourceFile['lineAt'] } {
  const hasLead = from - lineFrom <= maxLeadBytes
  const bytes = Buffer.concat([...filePieces(path, hasLead ? lineFrom : from, to)])
  const lines = bytes.toString().split('\n')
  return {
    text: bytes.toString('utf8', hasLead ? from - lineFrom : 0),
    // If the record begins too far into its line, that line has no code frame.
    lineAt: number => (number === line && !hasLead ? '' : (lines[number - line] ?? '').replace(/\r$/, ''))
  }
}

/** Number of bytes after a mistake that are read for its code frame. */
const maxTailBytes = 200

/**
 * Returns the diagnostic for a mistake in a data file. `to`: the offset up to which the file is read for the code
 * frame.
 */
export function reportCut(
  file: FolderFile,
  { code, message, hint, ...start }: CutProblem,
  to = start.from + maxTailBytes,
  span: Span = { ...start, length: 1 }
): Diagnostic {
  const { lineAt } = readRecord(file.real, { ...start, to })
  const { line, column, length } = span
  return report(unreadText(file.path, { line, column, length }, lineAt), code, [], message, { hint })
}
