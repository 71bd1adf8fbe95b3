import { isUtf8 } from 'node:buffer'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Span } from '../diagnostics/diagnostic.ts'
import { fileStart } from './report.ts'

/** Size of the largest file that Pantry reads, in bytes. */
export const largestFile = 262_144

type TextProblem = Readonly<{ code: DiagnosticCode; span: Span; message: string; hint: string }>

/** Returns the line and column of an offset in a text. */
function placeOf(text: string, offset: number): Span {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), length: 1 }
}

/** Returns the offset in the decoded text of the first U+FFFD that stands for an invalid byte. */
function firstInvalid(bytes: Uint8Array): number {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true })
  let offset = 0
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(0x0a, at)
    const line = bytes.subarray(at, next === -1 ? bytes.length : next + 1)
    const text = lossy.decode(line)
    if (!isUtf8(line)) return offset + Math.max(0, text.indexOf('\uFFFD'))
    offset += text.length
    at += line.length
  }
  return offset
}

/** Decodes a file as strict UTF-8 (RFC 3629) without a byte order mark and control characters. */
export function decodeText(bytes: Uint8Array, largest = largestFile): { text: string; problem?: TextProblem } {
  const failed = (
    text: string,
    code: DiagnosticCode,
    span: Span,
    message: string,
    hint: string
  ): ReturnType<typeof decodeText> => ({ text, problem: { code, span, message, hint } })
  if (bytes.length > largest)
    return failed('', 'M109', fileStart, `The file has more than ${largest} bytes.`, 'Split it into several files.')
  const start = Buffer.from(bytes.subarray(0, 3)).toString('hex')
  const mark = /^(?:fffe|feff)/.test(start)
    ? 'is UTF-16'
    : start === 'efbbbf'
      ? 'starts with a byte order mark'
      : undefined
  if (mark !== undefined)
    return failed('', 'M112', fileStart, `The file ${mark}.`, 'Save it as UTF-8 without a byte order mark.')
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!isUtf8(bytes)) {
    const span = placeOf(text, firstInvalid(bytes))
    return failed(text, 'M111', span, 'This byte is not part of a UTF-8 text.', 'Save the file as UTF-8.')
  }
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(text)
  if (control === null) return { text }
  const point = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const message = `The control character U+${point} is not allowed.`
  return failed(text, 'M108', placeOf(text, control.index), message, 'Remove it.')
}
