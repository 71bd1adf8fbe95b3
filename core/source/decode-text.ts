import { isUtf8 } from 'node:buffer'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Span } from '../diagnostics/diagnostic.ts'
import { fileStart } from './report.ts'
import { invalidAt } from './strict-json.ts'

/** Maximum size in bytes of a file that is read as a whole. Data files may be larger: they are read in pieces. */
export const maxFileBytes = 262_144

type TextProblem = Readonly<{ code: DiagnosticCode; span: Span; message: string; hint: string }>

/** Returns the place of the first character after a text. */
const placeAfter = (text: string): Span => ({
  line: text.split('\n').length,
  column: text.length - text.lastIndexOf('\n'),
  length: 1
})

/**
 * Decodes a file as strict UTF-8 (RFC 3629). It is a problem if the file is too large, starts with a byte order mark,
 * or contains a control character other than tab, line feed and carriage return.
 */
export function decodeText(bytes: Uint8Array, largest = maxFileBytes): { text: string; problem?: TextProblem } {
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
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const text = decoder.decode(bytes)
  if (!isUtf8(bytes)) {
    const span = placeAfter(decoder.decode(bytes.subarray(0, invalidAt(bytes))))
    return failed(text, 'M111', span, 'This byte is not part of a UTF-8 text.', 'Save the file as UTF-8.')
  }
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(text)
  if (control === null) return { text }
  const point = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const message = `The control character U+${point} is not allowed.`
  return failed(text, 'M108', placeAfter(text.slice(0, control.index)), message, 'Remove it.')
}
