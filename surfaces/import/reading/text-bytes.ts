import { createReadStream } from 'node:fs'

/**
 * What a file says of the encoding of its text when that is not UTF-8; UTF-16 says it itself, by its first two bytes
 * (RFC 2781 §3.2).
 */
export type Encoding = 'windows-1252'

const utf8Mark = Buffer.from('\ufeff')
/**
 * The characters of Windows-1252 at 80 to 9F (WHATWG Encoding §9), where ISO 8859-1 has controls. `TextDecoder` of Node
 * 20 takes one for the other.
 */
const beyondLatin = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/** The text of a piece; without one, what is left at the end. */
type Decode = (bytes?: Buffer) => string

const decodeWindows: Decode = (bytes = Buffer.alloc(0)) =>
  bytes.toString('latin1').replace(/[\u0080-\u009F]/g, sign => beyondLatin.charAt(sign.charCodeAt(0) - 0x80))

/** How the bytes of a file become text, told by its first ones; `undefined`: they are UTF-8. */
export function decoderOf(first: Buffer, encoding: Encoding | undefined): Decode | undefined {
  const mark = first.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') {
    const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be', { fatal: true })
    return bytes => decoder.decode(bytes, { stream: bytes !== undefined })
  }
  return encoding === undefined ? undefined : decodeWindows
}

/** The text of a file in pieces of UTF-8, without a byte order mark; `read` counts the bytes of the file. */
export async function* utf8Of(
  path: string,
  encoding: Encoding | undefined,
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
