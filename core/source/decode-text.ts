import { isUtf8 } from 'node:buffer'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Span } from '../diagnostics/diagnostic.ts'
import { fileStart } from './report.ts'

/** Largest file Pantry reads, in bytes. */
export const largestFile = 262_144

type TextProblem = Readonly<{ code: DiagnosticCode; span: Span; message: string; hint: string }>

/** Returns the line and column of an offset in a text. */
function placeOf(text: string, offset: number): Span {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), length: 1 }
}

/**
 * Returns the offset of the first invalid byte in the decoded text, where decoding put a U+FFFD. A U+FFFD in the file
 * itself is valid UTF-8.
 */
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

/**
 * Decodes a file as strict UTF-8 (RFC 3629) of at most `largest` bytes. A byte order mark or a control character is a
 * problem.
 */
export function decodeText(bytes: Uint8Array, largest = largestFile): { text: string; problem?: TextProblem } {
  if (bytes.length > largest) {
    return {
      text: '',
      problem: {
        code: 'M109',
        span: fileStart,
        message: `The file has more than ${largest} bytes.`,
        hint: 'Split it into several files.'
      }
    }
  }
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  if (isUtf16 || hasMark) {
    const message = isUtf16 ? 'The file is UTF-16.' : 'The file starts with a byte order mark.'
    return {
      text: '',
      problem: { code: 'M112', span: fileStart, message, hint: 'Save it as UTF-8 without a byte order mark.' }
    }
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!isUtf8(bytes)) {
    return {
      text,
      problem: {
        code: 'M111',
        span: placeOf(text, firstInvalid(bytes)),
        message: 'This byte is not part of a UTF-8 text.',
        hint: 'Save the file as UTF-8.'
      }
    }
  }
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(text)
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return {
      text,
      problem: {
        code: 'M108',
        span: placeOf(text, control.index),
        message: `The control character U+${code} is not allowed.`,
        hint: 'Remove it.'
      }
    }
  }
  return { text }
}
