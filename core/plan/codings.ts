import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  deflateRaw,
  deflateRawSync,
  gzip,
  gzipSync
} from 'node:zlib'
import { byteString } from '../canonical/json.ts'
import { sharedWhileMade } from '../canonical/work.ts'
import { mirrorBytes, mirrorStamp, mirrorStampBytes } from '../contract/math-mirror.ts'
import type { MirrorText } from '../handler/handler.ts'
import type { Encoding } from './choose.ts'
import type { BodyText } from './request.ts'

/** Bodies of fewer bytes are not worth compressing. */
export const smallestCompressed = 1024

/** Up to this size in bytes a body is compressed synchronously: in another thread it would take twice the time. */
export const mostAtOnce = 16_384

/** Length in characters of the time (ISO 8601) and the request id between the pieces. */
const stampBytes = 24 + 20

type Written = Readonly<{ body: string | Buffer; length: number }>

/** A body that can be written in several content codings; what does not change is made once, at first use. */
export type PreparedBody = Readonly<{
  mediaType: string
  /** Length in bytes without a content coding (identity). */
  length: number
  /** Available content codings, best first. */
  codings: readonly Encoding[]
  /** Memory used in bytes: the identity form, and each coding once it was requested. */
  bytes: () => number
  /** Writes the body; returns a promise if a large body must be compressed first. */
  write: (coding: Encoding, time: string, requestId: string) => Written | Promise<Written>
}>

/** Makes a value at first use; for a large body asynchronously, in another thread. */
function atFirstUse<T>(isLarge: boolean, make: () => T, makeApart: () => Promise<T>) {
  let made: T | undefined
  const apart = sharedWhileMade(async () => (made = await makeApart()))
  return { made: () => made, get: (): T | Promise<T> => made ?? (isLarge ? apart() : (made = make())) }
}

const brotliSettings = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
const gzipSettings = { level: 7 }
const [brotliApart, gzipApart] = [promisify(brotliCompress), promisify(gzip)]

/** Prepares a body that never changes: both codings are cached. */
function fixedBody(text: BodyText, whole: string): PreparedBody {
  const body = byteString(whole)
  const bytes = (): Buffer => Buffer.from(body, 'latin1')
  const isLarge = body.length > mostAtOnce
  const coded = {
    br: atFirstUse(
      isLarge,
      () => withoutSlack(brotliCompressSync(bytes(), brotliSettings)),
      async () => withoutSlack(await brotliApart(bytes(), brotliSettings))
    ),
    gzip: atFirstUse(
      isLarge,
      () => withoutSlack(gzipSync(bytes(), gzipSettings)),
      async () => withoutSlack(await gzipApart(bytes(), gzipSettings))
    )
  }
  const written = (buffer: Buffer): Written => ({ body: buffer, length: buffer.length })
  return {
    mediaType: text.mediaType,
    length: body.length,
    codings: body.length < smallestCompressed ? [] : ['br', 'gzip'],
    bytes: () => body.length + (coded.br.made()?.length ?? 0) + (coded.gzip.made()?.length ?? 0),
    write: coding => {
      if (coding === 'identity') return { body, length: body.length }
      const buffer = coded[coding].get()
      return buffer instanceof Promise ? buffer.then(written) : written(buffer)
    }
  }
}

/** Prepares the gzip template of a body with gaps, and the function that fills the gaps with values. */
function fillable(pieces: readonly string[]) {
  const segments = (): Buffer[] => pieces.map(piece => Buffer.from(piece, 'latin1'))
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const template = atFirstUse(
    bytes > mostAtOnce,
    () => gzipTemplate(segments()),
    () => gzipTemplateApart(segments())
  )
  const written = (body: string): Written => ({ body, length: body.length })
  return {
    bytes: () => bytes + (template.made()?.bytes ?? 0),
    write: (values: readonly string[]): Written | Promise<Written> => {
      const found = template.get()
      return found instanceof Promise
        ? found.then(({ render }) => written(render(values)))
        : written(found.render(values))
    }
  }
}

/** Prepares a body that contains the time and the request id: gzip from a template; brotli data cannot be spliced. */
function stampedBody(text: BodyText, pieces: readonly [string, string, string]): PreparedBody {
  const [a, b, c] = pieces.map(byteString) as [string, string, string]
  const length = a.length + b.length + c.length + stampBytes
  const template = fillable([a, b, c])
  return {
    mediaType: text.mediaType,
    length,
    codings: length < smallestCompressed ? [] : ['gzip'],
    bytes: template.bytes,
    write: (coding, time, requestId) =>
      coding === 'identity' ? { body: a + time + b + requestId + c, length } : template.write([time, requestId])
  }
}

/** Prepares a structural document, whose hash is computed for the time of each answer. */
function mirrorBody(text: BodyText, mirror: MirrorText): PreparedBody {
  const bytes = mirrorBytes(mirror)
  const { before, after } = bytes
  const length = before.length + after.length + mirrorStampBytes
  const template = fillable([before, after])
  return {
    mediaType: text.mediaType,
    length,
    codings: length < smallestCompressed ? [] : ['gzip'],
    bytes: template.bytes,
    write: (coding, time) => {
      const stamp = mirrorStamp(bytes, time)
      return coding === 'identity' ? { body: before + stamp + after, length } : template.write([stamp])
    }
  }
}

export function prepareBody(text: BodyText): PreparedBody {
  if ('mirror' in text) return mirrorBody(text, text.mirror)
  const { pieces } = text
  return pieces.length === 1 ? fixedBody(text, pieces[0]) : stampedBody(text, pieces)
}

const deflateApart = promisify(deflateRaw)

/** A gzip-compressed text with gaps for values; the text around the gaps is compressed once. */
type GzipTemplate = Readonly<{
  /** Memory used, in bytes. */
  bytes: number
  /**
   * Returns one complete gzip member as a byte string: one character for each byte. `values` holds one byte string for
   * each gap, each of at most 65535 bytes.
   */
  render: (values: readonly string[]) => string
}>

/** `carry`: the factor by which the checksum of the preceding bytes is multiplied to continue after the segment. */
type Segment = Readonly<{ deflated: string; length: number; checksum: number; carry: number }>

// RFC 1952 §2.3: magic number, method deflate, no flags, no time, no extra flags, unknown operating system.
const header = '\x1f\x8b\b\0\0\0\0\0\0\xff'
// RFC 1951 §3.2.6: a final block with fixed Huffman codes that contains only the end-of-block symbol.
const lastBlock = '\x03\0'
const storedLimit = 0xffff

/**
 * Copies bytes into a buffer of their exact size: zlib returns a view of a 16 KiB block, which would keep the block in
 * memory.
 */
function withoutSlack(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** CRC-32 table for single bytes (RFC 1952 §8). */
const ofByte = Uint32Array.from({ length: 256 }, (_, byte) => ~crc32(Buffer.of(byte), 0xffffffff))

/** Returns the checksum `before` continued by `text`, a byte string that is too short to be worth a call of zlib. */
function extendShort(before: number, text: string): number {
  let checksum = ~before
  for (let at = 0; at < text.length; at += 1)
    checksum = (ofByte[(checksum ^ text.charCodeAt(at)) & 255] ?? 0) ^ (checksum >>> 8)
  return ~checksum >>> 0
}

const littleEndian = (number: number, bytes: 2 | 4): string =>
  String.fromCharCode(number & 255, (number >>> 8) & 255) +
  (bytes === 2 ? '' : String.fromCharCode((number >>> 16) & 255, number >>> 24))

/** The polynomial of CRC-32 (RFC 1952 §8) without its highest power. Bit 31 of a number is the coefficient of x^0. */
const polynomial = 0xedb88320
const one = 0x80000000

/** Multiplies two polynomials over GF(2), modulo the polynomial of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bits = a | 0, factor = b; bits !== 0; bits <<= 1) {
    if (bits < 0) product ^= factor
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial
  }
  return product
}

/** x to the power of 2^n modulo the polynomial, for each n. */
const squares: readonly number[] = Array.from({ length: 32 }).reduce<number[]>(powers => {
  const last = powers.at(-1)
  return [...powers, last === undefined ? one >>> 1 : multiply(last, last)]
}, [])

/**
 * Returns the factor for the checksum of the bytes before `bytes` further ones: x^(8·bytes) modulo the polynomial.
 * CRC-32 is linear: crc(before, data) is before times that factor, plus crc(0, data).
 */
function carryOf(bytes: number): number {
  let power: number = one
  for (let left = bytes * 8, n = 0; left > 0; left = Math.floor(left / 2), n += 1)
    if (left % 2 === 1) power = multiply(squares[n % 32] ?? 0, power)
  return power
}

const carried = (before: number, { checksum, carry }: Segment): number => (multiply(before, carry) ^ checksum) >>> 0

// A full flush ends the block on a byte boundary and resets the window, so that any bytes may follow (RFC 1951 §3.2.4).
const settings = { level: 9, finishFlush: constants.Z_FULL_FLUSH }

const segmentOf = (bytes: Buffer, deflated: Buffer): Segment => ({
  deflated: deflated.toString('latin1'),
  length: bytes.length,
  checksum: bytes.length === 0 ? 0 : crc32(bytes),
  carry: carryOf(bytes.length)
})

/**
 * Makes a template for texts that differ only in a few short values. The segments around the values are deflated once;
 * `render` inserts the values as stored blocks and combines the checksums.
 */
export const gzipTemplate = (segments: readonly Buffer[]): GzipTemplate =>
  templateOf(segments.map(bytes => segmentOf(bytes, deflateRawSync(bytes, settings))))

/** Makes the same template asynchronously: zlib compresses in another thread. */
const gzipTemplateApart = async (segments: readonly Buffer[]): Promise<GzipTemplate> =>
  templateOf(await Promise.all(segments.map(async bytes => segmentOf(bytes, await deflateApart(bytes, settings)))))

function templateOf(parts: readonly Segment[]): GzipTemplate {
  const gaps = parts.length - 1
  const deflatedBytes = parts.reduce((sum, part) => sum + part.deflated.length, 0)
  const textBytes = parts.reduce((sum, part) => sum + part.length, 0)

  return {
    bytes: deflatedBytes,
    render(values) {
      if (values.length !== gaps) throw new RangeError(`${gaps} values are wanted, not ${values.length}.`)
      let valueBytes = 0
      let text = header
      let checksum = 0
      for (let index = 0; index < parts.length; index += 1) {
        const part = parts[index] as Segment
        text += part.deflated
        checksum = carried(checksum, part)
        const value = values[index]
        if (value === undefined) continue
        const { length } = value
        if (length > storedLimit) throw new RangeError(`A value is longer than ${storedLimit} bytes.`)
        text += `\0${littleEndian(length, 2)}${littleEndian(length ^ storedLimit, 2)}${value}`
        checksum = extendShort(checksum, value)
        valueBytes += length
      }
      // RFC 1952 §2.3.1: the length of the text modulo 2^32.
      return text + lastBlock + littleEndian(checksum, 4) + littleEndian((textBytes + valueBytes) >>> 0, 4)
    }
  }
}
