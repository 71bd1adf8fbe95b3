import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { mirrorBytes, mirrorStamp } from '../contract/math-mirror.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { encodingOf } from './body.ts'
import { matchesIfNoneMatch } from './etag.ts'
import { stamps, usedUp } from './headers.ts'
import { chooseEncoding, type Encoding } from './negotiate.ts'
import { compileHeads } from './own-links.ts'
import { mostAtOnce, prepareBody, smallestCompressed, type PreparedBody } from './prepared.ts'
import type { Answer, BodyText, PlanRequest } from './request.ts'
import type { Result } from './result.ts'

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/**
 * An answer that needs only the values of the request (stamps). `vary`: names of the request headers that its handler
 * says it depends on. `bytes`: the memory that it uses so far.
 */
export type PreparedAnswer = Readonly<{
  status: number
  control: string
  head: string
  unchanged: string
  etag: string | undefined
  vary: readonly string[]
  body: PreparedBody
  bytes: () => number
}>

type Presenter = Readonly<{
  prepare: (result: Result, text: BodyText, path: string, method: string) => PreparedAnswer
  once: (result: Result, text: BodyText, request: PlanRequest) => Answer | Promise<Answer>
}>

const firstOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

const isUnchanged = (etag: string | undefined, request: PlanRequest): boolean => {
  if (etag === undefined) return false
  const condition = firstOf(request.headers['if-none-match'])
  return condition !== undefined && matchesIfNoneMatch(condition, etag)
}

export function compilePresenter(surface: Surface, registry: Registry, links: (path: string) => string): Presenter {
  const headsOf = compileHeads(surface, registry, links)
  return {
    prepare(result, text, path, method) {
      const heads = headsOf(result, text, path, method)
      const body = prepareBody(text)
      const vary = result.headers?.['Vary']?.toLowerCase().split(/, */) ?? []
      return { status: result.status, ...heads, vary, body, bytes: () => heads.bytes + body.bytes() }
    },
    once(result, text, request) {
      const { control, head, unchanged, etag } = headsOf(result, text, request.path, request.method)
      const stamped = stamps(
        result.status === 429 ? { ...request, rate: usedUp(request, result.headers?.['Retry-After']) } : request,
        control
      )
      if (isUnchanged(etag, request)) return { status: 304, head: unchanged + stamped, body: '', encoding: 'latin1' }
      const { body, length, encoding } = wholeBody(text, request)
      const coding =
        length < smallestCompressed
          ? 'identity'
          : chooseEncoding(firstOf(request.headers['accept-encoding']), ['gzip', 'br'])
      if (coding === 'identity')
        return { status: result.status, head: `${head}${stamped}Content-Length: ${length}\r\n`, body, encoding }
      const coded = (bytes: Buffer): Answer => ({
        status: result.status,
        head: `${head}${stamped}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n`,
        body: bytes,
        encoding: 'latin1'
      })
      const bytes = compress(Buffer.from(body, encoding), coding)
      return bytes instanceof Promise ? bytes.then(coded) : coded(bytes)
    }
  }
}

/** Returns the complete body for a request, its length in bytes and its encoding. */
function wholeBody(
  text: BodyText,
  { time, requestId }: PlanRequest
): Readonly<{ body: string; length: number; encoding: Answer['encoding'] }> {
  if ('mirror' in text) {
    const bytes = mirrorBytes(text.mirror)
    const body = bytes.before + mirrorStamp(bytes, time) + bytes.after
    return { body, length: body.length, encoding: 'latin1' }
  }
  const [a, b, c] = text.pieces
  const body = b === undefined ? a : `${a}${time}${b}${requestId}${c}`
  const length = Buffer.byteLength(body)
  return { body, length, encoding: encodingOf(body, length) }
}

const brotliLevel = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzipLevel = { level: 4 }
function compress(body: Buffer, coding: Encoding): Buffer | Promise<Buffer> {
  if (body.length <= mostAtOnce)
    return coding === 'br' ? brotliCompressSync(body, brotliLevel) : gzipSync(body, gzipLevel)
  return coding === 'br' ? brotliAsync(body, brotliLevel) : gzipAsync(body, gzipLevel)
}

/** Answers a request with a prepared answer and the values of the request. */
export function answerPrepared(prepared: PreparedAnswer, request: PlanRequest): Answer | Promise<Answer> {
  const stamped = stamps(
    prepared.status === 429 ? { ...request, rate: usedUp(request, undefined) } : request,
    prepared.control
  )
  if (isUnchanged(prepared.etag, request))
    return { status: 304, head: prepared.unchanged + stamped, body: '', encoding: 'latin1' }
  const { codings } = prepared.body
  const coding =
    codings.length === 0 ? 'identity' : chooseEncoding(firstOf(request.headers['accept-encoding']), codings)
  const written = prepared.body.write(coding, request.time, request.requestId)
  const coded = coding === 'identity' ? '' : `Content-Encoding: ${coding}\r\n`
  const answer = ({ body, length }: Awaited<typeof written>): Answer => ({
    status: prepared.status,
    head: `${prepared.head}${stamped}${coded}Content-Length: ${length}\r\n`,
    body,
    encoding: 'latin1'
  })
  return written instanceof Promise ? written.then(answer) : answer(written)
}
