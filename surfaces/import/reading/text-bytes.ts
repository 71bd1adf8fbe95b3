import { createReadStream } from 'node:fs'
import type { StatedEncoding } from '../source.ts'

const utf8Mark = Buffer.from('\ufeff')
/**
 * The characters of Windows-1252 at 0x80 to 0x9F (WHATWG Encoding §9). A table is needed because `TextDecoder` of Node
 * 20 decodes these bytes as the control characters of ISO 8859-1.
 */
const beyondLatin = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/** Decodes one chunk of bytes; without an argument, returns what is left in the decoder. */
type Decode = (bytes?: Buffer) => string

const decodeWindows: Decode = (bytes = Buffer.alloc(0)) =>
  bytes.toString('latin1').replace(/[\u0080-\u009F]/g, sign => beyondLatin.charAt(sign.charCodeAt(0) - 0x80))

/**
 * Returns the decoder for a file, chosen by its byte order mark or the stated encoding; `undefined` when it is UTF-8.
 */
export function decoderOf(first: Buffer, encoding: StatedEncoding | undefined): Decode | undefined {
  const mark = first.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') {
    const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be', { fatal: true })
    return bytes => decoder.decode(bytes, { stream: bytes !== undefined })
  }
  return encoding === undefined ? undefined : decodeWindows
}

/**
 * Reads a file as chunks of UTF-8 without byte order mark. Calls `read` with the number of bytes read from the file.
 */
export async function* utf8Of(
  path: string,
  encoding: StatedEncoding | undefined,
  read: (bytes: number) => void = () => undefined
): AsyncGenerator<Buffer> {
  let isFirst = true
  let decode: Decode | undefined
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    read(bytes.length)
    if (isFirst) decode = decoderOf(bytes, encoding)
    if (decode !== undefined) yield Buffer.from(decode(bytes))
    else yield isFirst && bytes.subarray(0, utf8Mark.length).equals(utf8Mark) ? bytes.subarray(utf8Mark.length) : bytes
    isFirst = false
  }
  if (decode !== undefined) yield Buffer.from(decode())
}
