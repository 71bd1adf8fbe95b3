import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { BodyText } from './body.ts'
import { matchesIfNoneMatch } from './etag.ts'
import { cacheControl, commonHeaders, deprecationHeaders, noStore, stamps, varyOf } from './headers.ts'
import { chooseEncoding, type Encoding } from './negotiate.ts'
import { compileOwnLinks } from './own-links.ts'
import { prepareBody, smallestCompressed, type PreparedBody } from './prepared.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { Result } from './result.ts'

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/** An answer whose content is known: everything but the request's own stamps. `bytes` is what is kept for it so far. */
export type PreparedAnswer = Readonly<{ status: number, control: string, headers: readonly string[], unchanged: readonly string[], etag: string | undefined, body: PreparedBody, bytes: () => number }>

type Presenter = Readonly<{
  prepare: (result: Result, text: BodyText, path: string, method: string) => PreparedAnswer
  once: (result: Result, text: BodyText, request: PlanRequest) => Answer | Promise<Answer>
}>

const firstOf = (value: string | readonly string[] | undefined): string | undefined => typeof value === 'string' ? value : value?.[0]

const isUnchanged = (etag: string | undefined, request: PlanRequest): boolean => {
  if (etag === undefined) return false
  const condition = firstOf(request.headers['if-none-match'])
  return condition !== undefined && matchesIfNoneMatch(condition, etag)
}

/** A header list without what describes content that a 304 does not carry (RFC 9110 §15.4.5). */
const withoutContent = (headers: readonly string[]): string[] =>
  headers.filter((_, index) => !['Content-Type', 'Content-Language', 'X-Content-License'].includes(headers[index - index % 2] ?? ''))

type HeaderWriter = (result: Result, text: BodyText, path: string, method: string) => Readonly<{ control: string, headers: string[], etag: string | undefined }>

/** Headers of an answer apart from the stamps, the length and the coding. What depends on the media type alone is made once. */
function compileHeaders (surface: Surface, registry: Registry, links: (path: string) => string): HeaderWriter {
  const kept = new Map<string, readonly string[]>()
  const ownLinks = compileOwnLinks(surface, registry)
  const alike = (mediaType: string, ownVary = ''): readonly string[] => {
    const key = `${mediaType}\n${ownVary}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = [...commonHeaders(registry.service, mediaType), 'Vary', varyOf(surface) + (ownVary === '' ? '' : `, ${ownVary}`), 'X-Content-License', surface.license, ...deprecationHeaders(surface)]
    kept.set(key, made)
    return made
  }
  return (result, text, path, method) => {
    const control = result.headers?.['Cache-Control'] ?? cacheControl(surface, result.status, method)
    const etag = control === noStore || result.status >= 300 ? undefined : text.etag
    const headers = alike(text.mediaType, result.headers?.['Vary']).slice()
    const own = ownLinks(result, path)
    if (surface.contract === 'envelope') headers.push('Link', [links(path), ...own].join(', '))
    else if (own.length > 0) headers.push('Link', own.join(', '))
    if (result.language !== undefined) headers.push('Content-Language', result.language.content.join(', '))
    if (etag !== undefined) headers.push('ETag', etag)
    if (result.headers !== undefined) for (const [name, value] of Object.entries(result.headers)) if (name !== 'Cache-Control' && name !== 'Vary') headers.push(name, value)
    return { control, headers, etag }
  }
}

export function compilePresenter (surface: Surface, registry: Registry, links: (path: string) => string): Presenter {
  const headersOf = compileHeaders(surface, registry, links)
  return {
    prepare (result, text, path, method) {
      const { control, headers, etag } = headersOf(result, text, path, method)
      const body = prepareBody(text)
      const headerBytes = headers.reduce((sum, one) => sum + one.length, 0)
      return { status: result.status, control, headers, unchanged: withoutContent(headers), etag, body, bytes: () => headerBytes + body.bytes() }
    },
    once (result, text, request) {
      const { control, headers, etag } = headersOf(result, text, request.path, request.method)
      if (isUnchanged(etag, request)) return { status: 304, headers: [...withoutContent(headers), ...stamps(request, control)], body: '', encoding: 'latin1' }
      const [a, b, c] = text.pieces
      const body = b === undefined ? a : `${a}${request.time}${b}${request.requestId}${c}`
      const length = Buffer.byteLength(body)
      const coding = length < smallestCompressed ? 'identity' : chooseEncoding(firstOf(request.headers['accept-encoding']), ['gzip', 'br'])
      headers.push(...stamps(request, control))
      if (coding === 'identity') {
        headers.push('Content-Length', String(length))
        return { status: result.status, headers, body, encoding: 'utf8' }
      }
      return compress(body, coding).then((bytes): Answer => {
        headers.push('Content-Encoding', coding, 'Content-Length', String(bytes.length))
        return { status: result.status, headers, body: bytes, encoding: 'latin1' }
      })
    }
  }
}

const compress = (body: string, coding: Encoding): Promise<Buffer> =>
  coding === 'br' ? brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : gzipAsync(body, { level: 4 })

/** Writes the request's stamps into a prepared answer. */
export function answerPrepared (prepared: PreparedAnswer, request: PlanRequest): Answer {
  if (isUnchanged(prepared.etag, request)) return { status: 304, headers: [...prepared.unchanged, ...stamps(request, prepared.control)], body: '', encoding: 'latin1' }
  const { codings } = prepared.body
  const coding = codings.length === 0 ? 'identity' : chooseEncoding(firstOf(request.headers['accept-encoding']), codings)
  const { body, length } = prepared.body.write(coding, request.time, request.requestId)
  const headers = [...prepared.headers, ...stamps(request, prepared.control), 'Content-Length', String(length)]
  if (coding !== 'identity') headers.push('Content-Encoding', coding)
  return { status: prepared.status, headers, body, encoding: 'latin1' }
}
