import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { byteString } from '../canonical/byte-string.ts'
import { sharedWhileMade } from '../canonical/once-for.ts'
import { mirrorBytes, mirrorStamp, mirrorStampBytes } from '../contract/math-mirror.ts'
import type { MirrorText } from '../handler/handler.ts'
import type { BodyText } from './body.ts'
import { gzipTemplate, gzipTemplateApart, withoutSlack } from './gzip-template.ts'
import type { Encoding } from './negotiate.ts'

/** How a text of so many bytes in UTF-8 is written: one of ASCII alone needs no encoding. */
export const encodingOf = (text: string, bytes: number): 'latin1' | 'utf8' =>
  text.length === bytes ? 'latin1' : 'utf8'

/** Bodies below this many bytes are not worth compressing. */
export const smallestCompressed = 1024

/** Up to this many bytes a body is compressed at once: to hand it to another thread takes twice the time. */
export const mostAtOnce = 16_384

/** Length in characters of the two values between the pieces: an ISO 8601 time and a request id. */
const stampBytes = 24 + 20

type Written = Readonly<{ body: string | Buffer; length: number }>

/** The bytes of a body in every content coding; what can be made once is made once, at first use. */
export type PreparedBody = Readonly<{
  mediaType: string
  /** Bytes of the identity form. */
  length: number
  /** Codings it can be sent in, best first. */
  codings: readonly Encoding[]
  /** Bytes it keeps: of the identity form, and of each coding once that was asked for. */
  bytes: () => number
  /** A promise where much has to be compressed first. */
  write: (coding: Encoding, time: string, requestId: string) => Written | Promise<Written>
}>

/** What is made at first use, of a large body apart from the thread that answers. */
function atFirstUse<T>(isLarge: boolean, make: () => T, makeApart: () => Promise<T>) {
  let made: T | undefined
  const apart = sharedWhileMade(async () => (made = await makeApart()))
  return { made: () => made, get: (): T | Promise<T> => made ?? (isLarge ? apart() : (made = make())) }
}

const brotliSettings = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
const gzipSettings = { level: 7 }
const [brotliApart, gzipApart] = [promisify(brotliCompress), promisify(gzip)]

/** A body whose bytes never differ: both codings are kept. */
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

/** The template of a body with gaps, and what it makes of values. */
function templateOf(pieces: readonly string[]) {
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

/** A body with the time and the request id in it: gzip from a template; brotli cannot be spliced. */
function stampedBody(text: BodyText, pieces: readonly [string, string, string]): PreparedBody {
  const [a, b, c] = pieces.map(byteString) as [string, string, string]
  const length = a.length + b.length + c.length + stampBytes
  const template = templateOf([a, b, c])
  return {
    mediaType: text.mediaType,
    length,
    codings: length < smallestCompressed ? [] : ['gzip'],
    bytes: template.bytes,
    write: (coding, time, requestId) =>
      coding === 'identity' ? { body: a + time + b + requestId + c, length } : template.write([time, requestId])
  }
}

/** A structural document, which is hashed with the time of each answer. */
function mirrorBody(text: BodyText, mirror: MirrorText): PreparedBody {
  const bytes = mirrorBytes(mirror)
  const { before, after } = bytes
  const length = before.length + after.length + mirrorStampBytes
  const template = templateOf([before, after])
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
