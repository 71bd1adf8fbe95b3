import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { byteString } from '../canonical/byte-string.ts'
import { sharedWhileMade } from '../canonical/once-for.ts'
import { mirrorBytes, mirrorStamp, mirrorStampBytes } from '../contract/math-mirror.ts'
import type { MirrorText } from '../handler/handler.ts'
import { gzipTemplate, gzipTemplateApart, withoutSlack } from './gzip-template.ts'
import type { Encoding } from './negotiate.ts'
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
