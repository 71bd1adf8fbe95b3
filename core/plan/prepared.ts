import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { byteString } from '../canonical/byte-string.ts'
import { mirrorBytes, mirrorStamp, mirrorStampBytes } from '../contract/math-mirror.ts'
import type { MirrorText } from '../handler/handler.ts'
import type { BodyText } from './body.ts'
import { gzipTemplate, withoutSlack } from './gzip-template.ts'
import type { Encoding } from './negotiate.ts'

/** How a text of so many bytes in UTF-8 is written: one of ASCII alone needs no encoding. */
export const encodingOf = (text: string, bytes: number): 'latin1' | 'utf8' =>
  text.length === bytes ? 'latin1' : 'utf8'

/** Bodies below this many bytes are not worth compressing. */
export const smallestCompressed = 1024

/** Length in characters of the two values between the pieces: an ISO 8601 time and a request id. */
const stampBytes = 24 + 20

/** The bytes of a body in every content coding; what can be made once is made once, at first use. */
export type PreparedBody = Readonly<{
  mediaType: string
  /** Bytes of the identity form. */
  length: number
  /** Codings it can be sent in, best first. */
  codings: readonly Encoding[]
  /** Bytes it keeps: of the identity form, and of each coding once that was asked for. */
  bytes: () => number
  write: (coding: Encoding, time: string, requestId: string) => Readonly<{ body: string | Buffer; length: number }>
}>

/** A body whose bytes never differ: both codings are kept. */
function fixedBody(text: BodyText, whole: string): PreparedBody {
  const body = byteString(whole)
  let kept = body.length
  const made = new Map<Encoding, Buffer>()
  const coded = (coding: Encoding): Buffer => {
    const known = made.get(coding)
    if (known !== undefined) return known
    const bytes = Buffer.from(body, 'latin1')
    const fresh = withoutSlack(
      coding === 'br'
        ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
        : gzipSync(bytes, { level: 7 })
    )
    made.set(coding, fresh)
    kept += fresh.length
    return fresh
  }
  return {
    mediaType: text.mediaType,
    length: body.length,
    codings: body.length < smallestCompressed ? [] : ['br', 'gzip'],
    bytes: () => kept,
    write: coding => {
      if (coding === 'identity') return { body, length: body.length }
      const buffer = coded(coding)
      return { body: buffer, length: buffer.length }
    }
  }
}

/** A body with the time and the request id in it: gzip from a template; brotli cannot be spliced. */
function stampedBody(text: BodyText, pieces: readonly [string, string, string]): PreparedBody {
  const [a, b, c] = pieces.map(byteString) as [string, string, string]
  const length = a.length + b.length + c.length + stampBytes
  let template: ReturnType<typeof gzipTemplate> | undefined
  return {
    mediaType: text.mediaType,
    length,
    codings: length < smallestCompressed ? [] : ['gzip'],
    bytes: () => length + (template?.bytes ?? 0),
    write: (coding, time, requestId) => {
      if (coding === 'identity') return { body: a + time + b + requestId + c, length }
      template ??= gzipTemplate([a, b, c].map(piece => Buffer.from(piece, 'latin1')))
      const coded = template.render([time, requestId])
      return { body: coded, length: coded.length }
    }
  }
}

/** A structural document, which is hashed with the time of each answer. */
function mirrorBody(text: BodyText, mirror: MirrorText): PreparedBody {
  const bytes = mirrorBytes(mirror)
  const { before, after } = bytes
  const length = before.length + after.length + mirrorStampBytes
  let template: ReturnType<typeof gzipTemplate> | undefined
  return {
    mediaType: text.mediaType,
    length,
    codings: length < smallestCompressed ? [] : ['gzip'],
    bytes: () => before.length + after.length + (template?.bytes ?? 0),
    write: (coding, time) => {
      const stamp = mirrorStamp(bytes, time)
      if (coding === 'identity') return { body: before + stamp + after, length }
      template ??= gzipTemplate([before, after].map(part => Buffer.from(part, 'latin1')))
      const coded = template.render([stamp])
      return { body: coded, length: coded.length }
    }
  }
}

export function prepareBody(text: BodyText): PreparedBody {
  if ('mirror' in text) return mirrorBody(text, text.mirror)
  const { pieces } = text
  return pieces.length === 1 ? fixedBody(text, pieces[0]) : stampedBody(text, pieces)
}
