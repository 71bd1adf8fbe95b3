import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A gzip text with gaps: everything but the values is compressed once. */
type GzipTemplate = Readonly<{
  /** Bytes it keeps. */
  bytes: number
  /** One complete gzip member; `values` holds one buffer for each gap, each of at most 65535 bytes. */
  render: (values: readonly Buffer[]) => Buffer
}>

type Segment = Readonly<{ deflated: Buffer, length: number, checksum: number, carry: Uint32Array }>

// RFC 1952 §2.3: magic, deflate, no flags, no time, no extra flags, unknown system.
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
// RFC 1951 §3.2.6: a last block with fixed codes that holds only the end-of-block symbol.
const lastBlock = Buffer.from([3, 0])
const trailerBytes = 8
const storedHeaderBytes = 5
const storedLimit = 0xffff

const carryBytes = 128 * 4

/** A copy of its own: zlib gives a part of a block of 16 KiB, and whoever keeps the part keeps the block. */
export function withoutSlack (bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Checksum of a text that goes on with `bytes`; zlib itself answers 0 where there are none. */
const extend = (before: number, bytes: Buffer): number => bytes.length === 0 ? before : crc32(bytes, before)

/**
 * How the bytes of a segment change a checksum that came before them. CRC-32 is linear: crc(x, bytes) differs from
 * crc(0, bytes) by a sum over the bits of x, kept here by groups of four bits, sixteen entries for each of eight groups.
 */
function carryOf (bytes: Buffer, checksum: number): Uint32Array {
  const table = new Uint32Array(128)
  for (let group = 0; group < 128; group += 16) {
    for (let bits = 1; bits < 16; bits += 1) {
      const lowest = bits & -bits
      const rest = table[group + (bits ^ lowest)] ?? 0
      table[group + bits] = bits === lowest ? extend((bits << (group / 4)) >>> 0, bytes) ^ checksum : rest ^ (table[group + lowest] ?? 0)
    }
  }
  return table
}

function carried (before: number, { checksum, carry }: Segment): number {
  let after = checksum
  for (let group = 0, bits = before; group < 128; group += 16, bits >>>= 4) after ^= carry[group + (bits & 15)] ?? 0
  return after >>> 0
}

function compress (bytes: Buffer): Segment {
  const checksum = extend(0, bytes)
  // A full flush ends the block on a byte boundary and forgets the window, so that any bytes may follow (RFC 1951 §3.2.4).
  const deflated = withoutSlack(deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH }))
  return { deflated, length: bytes.length, checksum, carry: carryOf(bytes, checksum) }
}

/**
 * Text that differs between answers only in a few short values: the segments around the values are deflated once, and each
 * rendering puts the values between them as stored blocks and combines the checksums.
 */
export function gzipTemplate (segments: readonly Buffer[]): GzipTemplate {
  const parts = segments.map(compress)
  const gaps = parts.length - 1
  const deflatedBytes = parts.reduce((sum, part) => sum + part.deflated.length, 0)
  const fixedBytes = header.length + deflatedBytes + gaps * storedHeaderBytes + lastBlock.length + trailerBytes
  const textBytes = parts.reduce((sum, part) => sum + part.length, 0)

  return {
    bytes: deflatedBytes + parts.length * carryBytes,
    render (values) {
      if (values.length !== gaps) throw new RangeError(`${gaps} values are wanted, not ${values.length}.`)
      let valueBytes = 0
      for (const value of values) {
        if (value.length > storedLimit) throw new RangeError(`A value is longer than ${storedLimit} bytes.`)
        valueBytes += value.length
      }
      const out = Buffer.allocUnsafe(fixedBytes + valueBytes)
      let at = header.copy(out)
      let checksum = 0
      for (const [index, part] of parts.entries()) {
        at += part.deflated.copy(out, at)
        checksum = carried(checksum, part)
        const value = values[index]
        if (value === undefined) continue
        out[at] = 0
        out.writeUInt16LE(value.length, at + 1)
        out.writeUInt16LE(value.length ^ storedLimit, at + 3)
        at += storedHeaderBytes
        at += value.copy(out, at)
        checksum = extend(checksum, value)
      }
      at += lastBlock.copy(out, at)
      out.writeUInt32LE(checksum, at)
      // RFC 1952 §2.3.1: the length modulo 2^32.
      out.writeUInt32LE((textBytes + valueBytes) >>> 0, at + 4)
      return out
    }
  }
}
