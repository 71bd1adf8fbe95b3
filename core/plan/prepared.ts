import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { BodyText } from './body.ts'
import { gzipTemplate, withoutSlack } from './gzip-template.ts'
import type { Encoding } from './negotiate.ts'

/** UTF-8 bytes as a string of one character a byte: written as latin1 it needs no encoding and no counting. */
const byteString = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Bodies below this many bytes are not worth compressing. */
export const smallestCompressed = 1024

/** Length in characters of the two values between the pieces: an ISO 8601 time and a request id. */
const stampBytes = 24 + 20

/** The bytes of a body in every content coding; what can be made once is made once, at first use. */
export type PreparedBody = Readonly<{
  etag: string
  mediaType: string
  /** Bytes of the identity form. */
  length: number
  /** Codings it can be sent in, best first. */
  codings: readonly Encoding[]
  /** Bytes it keeps: of the identity form, and of each coding once that was asked for. */
  bytes: () => number
  write: (coding: Encoding, time: string, requestId: string) => Readonly<{ body: string | Buffer, length: number }>
}>

/** A body whose bytes never differ: both codings are kept. */
function fixedBody (text: BodyText): PreparedBody {
  const body = byteString(text.pieces[0])
  let kept = body.length
  const made = new Map<Encoding, Buffer>()
  const coded = (coding: Encoding): Buffer => {
    const known = made.get(coding)
    if (known !== undefined) return known
    const bytes = Buffer.from(body, 'latin1')
    const fresh = withoutSlack(coding === 'br' ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }) : gzipSync(bytes, { level: 7 }))
    made.set(coding, fresh)
    kept += fresh.length
    return fresh
  }
  return {
    etag: text.etag,
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
function stampedBody (text: BodyText & { pieces: readonly [string, string, string] }): PreparedBody {
  const [a, b, c] = text.pieces.map(byteString) as [string, string, string]
  const length = a.length + b.length + c.length + stampBytes
  let template: ReturnType<typeof gzipTemplate> | undefined
  return {
    etag: text.etag,
    mediaType: text.mediaType,
    length,
    codings: length < smallestCompressed ? [] : ['gzip'],
    bytes: () => length + (template?.bytes ?? 0),
    write: (coding, time, requestId) => {
      if (coding === 'identity') return { body: a + time + b + requestId + c, length }
      template ??= gzipTemplate([a, b, c].map(piece => Buffer.from(piece, 'latin1')))
      const buffer = template.render([Buffer.from(time, 'latin1'), Buffer.from(requestId, 'latin1')])
      return { body: buffer, length: buffer.length }
    }
  }
}

export const prepareBody = (text: BodyText): PreparedBody =>
  text.pieces.length === 1 ? fixedBody(text) : stampedBody({ ...text, pieces: text.pieces })
