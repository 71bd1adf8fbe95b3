import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  createBrotliCompress,
  createGzip,
  deflateRaw,
  deflateRawSync,
  gzip,
  gzipSync
} from 'node:zlib'
import { byteString } from '../canonical/json.ts'
import { mirrorBytes, mirrorStamp, mirrorStampBytes } from '../contract/math-mirror.ts'
import type { Encoding } from './choose.ts'
import { andThen, type BodyText, type MaybePromise } from './request.ts'

/** Bodies of fewer bytes are not worth compressing. */
export const minCompressedBytes = 1024

/** Up to this size in bytes a body is compressed synchronously: in another thread it would take twice the time. */
const maxSyncBytes = 16_384

/** Bytes of a time (ISO 8601) and a request id. */
const stampBytes = 24 + 20

type Written = Readonly<{ body: string | Buffer; length: number }>

/** A body that can be written in several content codings, each made once, at first use. */
export type PreparedBody = Readonly<{
  /** The content codings besides identity, best first. */
  codings: readonly Encoding[]
  /** Bytes of memory that the body uses; a coding counts once it was made. */
  bytes: () => number
  write: (coding: Encoding, time: string, requestId: string) => MaybePromise<Written>
}>

const [brotliAsync, gzipAsync, deflateAsync] = [promisify(brotliCompress), promisify(gzip), promisify(deflateRaw)]

/** Compresses a body; one of more than 16 KiB in another thread. */
export function compress(
  body: Buffer,
  coding: Exclude<Encoding, 'identity'>,
  levels: Readonly<{ br: number; gzip: number }>
): MaybePromise<Buffer> {
  const isLarge = body.length > maxSyncBytes
  if (coding === 'gzip') return (isLarge ? gzipAsync : gzipSync)(body, { level: levels.gzip })
  return (isLarge ? brotliAsync : brotliCompressSync)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: levels.br } })
}

/** Returns a stream that compresses, and gives out at once what it was given. */
export const compressor = (coding: Exclude<Encoding, 'identity'>, levels: Readonly<{ br: number; gzip: number }>) =>
  coding === 'gzip'
    ? createGzip({ level: levels.gzip, flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: { [constants.BROTLI_PARAM_QUALITY]: levels.br }
      })

function lazy<T>(make: () => MaybePromise<T>) {
  let made: T | undefined
  let pending: Promise<T> | undefined
  return {
    made: () => made,
    get(): MaybePromise<T> {
      const value = made ?? pending ?? make()
      if (!(value instanceof Promise)) return (made = value)
      return (pending ??= value
        .then(found => (made = found))
        .finally(() => {
          pending = undefined
        }))
    }
  }
}

const keptLevels = { br: 6, gzip: 7 }

const written = (body: string | Buffer): Written => ({ body, length: body.length })

function fixedBody(text: string, isBinary = false): PreparedBody {
  const body = isBinary ? text : byteString(text)
  const coded = (coding: 'br' | 'gzip') =>
    lazy(() => andThen(compress(Buffer.from(body, 'latin1'), coding, keptLevels), exactCopy))
  const codings = { br: coded('br'), gzip: coded('gzip') }
  return {
    codings: isBinary || body.length < minCompressedBytes ? [] : ['br', 'gzip'],
    bytes: () => body.length + (codings.br.made()?.length ?? 0) + (codings.gzip.made()?.length ?? 0),
    write: coding => (coding === 'identity' ? written(body) : andThen(codings[coding].get(), written))
  }
}

type OfStamps<T> = (time: string, requestId: string) => T

/**
 * Prepares a body with gaps for values of the request. It has no brotli form, because brotli data cannot be spliced.
 */
function bodyWithGaps(
  pieces: readonly string[],
  gapBytes: number,
  bodyOf: OfStamps<string>,
  valuesOf: OfStamps<readonly string[]>
): PreparedBody {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const template = lazy((): MaybePromise<GzipTemplate> => {
    const segments = pieces.map(piece => Buffer.from(piece, 'latin1'))
    return bytes > maxSyncBytes ? gzipTemplateAsync(segments) : gzipTemplate(segments)
  })
  return {
    codings: bytes + gapBytes < minCompressedBytes ? [] : ['gzip'],
    bytes: () => bytes + (template.made()?.bytes ?? 0),
    write(coding, time, id) {
      if (coding === 'identity') return written(bodyOf(time, id))
      const found = template.get()
      return found instanceof Promise
        ? found.then(({ render }) => written(render(valuesOf(time, id))))
        : written(found.render(valuesOf(time, id)))
    }
  }
}

export function prepareBody(text: BodyText): PreparedBody {
  if ('mirror' in text) {
    // The hash of a structural document is computed for the time of each answer.
    const bytes = mirrorBytes(text.mirror)
    const { before, after } = bytes
    const stamp = (time: string): string => mirrorStamp(bytes, time)
    return bodyWithGaps(
      [before, after],
      mirrorStampBytes,
      time => before + stamp(time) + after,
      time => [stamp(time)]
    )
  }
  const { pieces } = text
  if (pieces.length === 1) return fixedBody(pieces[0], text.isBinary)
  const [a, b, c] = pieces.map(byteString) as [string, string, string]
  return bodyWithGaps(
    [a, b, c],
    stampBytes,
    (time, id) => a + time + b + id + c,
    (time, id) => [time, id]
  )
}

type GzipTemplate = Readonly<{
  /** Bytes of memory that the template uses. */
  bytes: number
  /**
   * Returns one complete gzip member as a byte string: one character for each byte. Throws a RangeError for a wrong
   * number of values, or a value of more than 65535 bytes.
   */
  render: (values: readonly string[]) => string
}>

/**
 * A piece of a text: its deflated bytes, its length and checksum before compression, and in `carry` the factor for the
 * checksum of the preceding bytes.
 */
type Segment = Readonly<{ deflated: string; length: number; checksum: number; carry: number }>

// The header of a gzip member (RFC 1952 §2.3): magic number, method deflate, no flags, no time, no extra flags, unknown
// operating system.
const header = '\x1f\x8b\b\0\0\0\0\0\0\xff'
// RFC 1951 §3.2.6: a final block with fixed Huffman codes that contains only the end-of-block symbol.
const lastBlock = '\x03\0'
const storedLimit = 0xffff

/** Copies bytes into a buffer of their exact size: zlib returns a view that keeps a block of 16 KiB in memory. */
function exactCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** CRC-32 table for single bytes (RFC 1952 §8). */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => ~crc32(Buffer.of(byte), 0xffffffff))

/** Returns the checksum `before` continued by `text`, a byte string too short to be worth a call of zlib. */
function extendShort(before: number, text: string): number {
  let checksum = ~before
  for (let at = 0; at < text.length; at += 1)
    checksum = (crcTable[(checksum ^ text.charCodeAt(at)) & 255] ?? 0) ^ (checksum >>> 8)
  return ~checksum >>> 0
}

const littleEndian = (number: number, bytes: 2 | 4): string =>
  String.fromCharCode(number & 255, (number >>> 8) & 255) +
  (bytes === 2 ? '' : String.fromCharCode((number >>> 16) & 255, number >>> 24))

/** The polynomial of CRC-32 (RFC 1952 §8) without its highest power. Bit 31 of a number is the coefficient of x^0. */
const polynomial = 0xedb88320
const one = 0x80000000

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
 * Returns the factor for a checksum before `bytes` further bytes: x^(8·bytes) modulo the polynomial. CRC-32 is linear:
 * crc(before, data) is before times that factor, plus crc(0, data).
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
 * Makes a template for texts that differ only in a few short values: the segments around them are deflated once;
 * `render` inserts the values as stored blocks and combines the checksums.
 */
export const gzipTemplate = (segments: readonly Buffer[]): GzipTemplate =>
  templateOf(segments.map(bytes => segmentOf(bytes, deflateRawSync(bytes, settings))))

const gzipTemplateAsync = async (segments: readonly Buffer[]): Promise<GzipTemplate> =>
  templateOf(await Promise.all(segments.map(async bytes => segmentOf(bytes, await deflateAsync(bytes, settings)))))

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
