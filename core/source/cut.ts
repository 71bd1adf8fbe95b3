import type { DiagnosticCode } from '../diagnostics/catalog.ts'

/** Start of a part of a file: offsets in bytes; line and column from 1, columns in UTF-16 code units. */
export type Start = Readonly<{ from: number; lineFrom: number; line: number; column: number }>

/** A part of a file that is read in pieces. */
export type Cut = Start & Readonly<{ bytes: Buffer }>

/** Why cutting stopped. */
export type CutProblem = Start & Readonly<{ code: DiagnosticCode; message: string; hint: string }>

/** Maximum size in bytes of one record (an entry or a row), because a record is held in memory as a whole. */
export const largestRecord = 1_048_576

const tooLarge = (what: string, hint: string): Pick<CutProblem, 'code' | 'message' | 'hint'> => ({
  code: 'M109',
  message: `${what} has more than ${largestRecord} bytes.`,
  hint
})

export const newline = 0x0a
const quote = 0x22

/**
 * Yields complete lines, as many at once as a piece of the file contains. With `quoted`, a newline between double
 * quotes does not end a line (RFC 4180 §2.6). If a line is too long, it yields a problem and nothing more.
 */
export function* cutLines(pieces: Iterable<Buffer>, { quoted = false } = {}): Generator<Cut | CutProblem> {
  let held: Buffer = Buffer.alloc(0)
  let isQuoted = false
  // `newlines` counts the newlines since the last yielded line.
  let [from, line, newlines] = [0, 1, 0]
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
    if (end > 0) yield { bytes: bytes.subarray(0, end), from, lineFrom: from, line, column: 1 }
    held = bytes.subarray(end)
    from += end
    line += ended
    newlines -= ended
    if (held.length > largestRecord) {
      yield {
        from,
        lineFrom: from,
        line,
        column: 1,
        ...tooLarge('The line', quoted ? 'Is a quote left open?' : 'Write each entry on a line of its own.')
      }
      return
    }
  }
  if (held.length > 0) yield { bytes: held, from, lineFrom: from, line, column: 1 }
}
