import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { JsonObject } from '../canonical/json.ts'
import { metaFactsOf, siteOf, type ErrorBody, type MetaFacts, type MetaWriter } from '../contract/envelope.ts'
import { mirrorBytes, mirrorStamp } from '../contract/math-mirror.ts'
import type { Corpus, Entry } from '../corpus/corpus.ts'
import type { View } from '../format/format.ts'
import { formatModules, formatTable, type Format } from '../format/index.ts'
import { compilePathTo } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { diagnosticPath } from '../vocabulary/words.ts'
import { chooseEncoding, type Encoding } from './choose.ts'
import { mostAtOnce, prepareBody, smallestCompressed, type PreparedBody } from './codings.ts'
import { compileHeads, stamps, usedUp } from './head.ts'
import type { AnswerLanguage, Result } from './kind.ts'
import type { Answer, BodyText, CutText, PlanRequest } from './request.ts'

export const errorBody = (result: Pick<Result, 'error' | 'status'>): ErrorBody | undefined =>
  result.error === undefined
    ? undefined
    : { ...result.error, status: result.status, docs: `${diagnosticPath}#${result.error.code}` }

/** Writes `{ data, error?, _meta }` as JSON text. */
export function envelopeText(meta: MetaWriter, path: string, asOf: string, facts: MetaFacts, result: Result): CutText {
  const data = JSON.stringify(result.data)
  const error = errorBody(result)
  const [beforeTime, beforeId, end] = meta(path, asOf, facts)
  return {
    mediaType: formatModules.json.mediaType,
    pieces: [
      `{"data":${data}${error === undefined ? '' : `,"error":${JSON.stringify(error)}`},"_meta":${beforeTime}`,
      beforeId,
      `${end}}`
    ],
    etag: () => weakEtag(`${path}\n${data}\n${end}`)
  }
}

/** Returns the encoding to write a text of `bytes` bytes in UTF-8: `latin1` if it is all ASCII, which is faster. */
export const encodingOf = (text: string, bytes: number): 'latin1' | 'utf8' =>
  text.length === bytes ? 'latin1' : 'utf8'

const whole = (mediaType: string, text: string, etag = () => weakEtag(text)): BodyText => ({
  mediaType,
  pieces: [text],
  etag
})

/** Returns the member `language` of `_meta`. */
const languageMember = ({ tag, queries, untranslated }: AnswerLanguage): JsonObject => {
  const available = [...queries.keys()]
  return {
    tag,
    available,
    fallback: Object.keys(untranslated).length === 0 ? null : { tag: available[0] ?? tag, untranslated }
  }
}

type BodyWriter = (result: Result, request: { path: string; time: string }, format: Format, asOf?: string) => BodyText

/** Returns the function that turns the results of a surface into text, by the contract and the format. */
export function compileBody(surface: Surface, registry: Registry, meta: MetaWriter): BodyWriter {
  const { service } = registry
  const declared = metaFactsOf(surface, registry)
  const modules = formatTable(service.formats)
  const readAt = compileReadAt(surface, registry)
  const view = (result: Result, path: string): View => ({
    title: surface.title,
    summary: surface.summary,
    url: `${service.base_url}${path}`,
    origin: service.base_url,
    service: service.name,
    site: siteOf(registry),
    path,
    contact: service.contact.email,
    data: result.data,
    ...(result.prose === undefined ? {} : { prose: result.prose }),
    ...(result.language === undefined ? {} : { language: result.language.tag }),
    ...(result.list === undefined
      ? {}
      : {
          list: {
            entries: result.list.entries,
            key: result.list.corpus.key,
            roles: result.list.corpus.roles,
            columns: result.list.columns,
            readAt: readAt(result.list.corpus, path)
          }
        })
  })
  const write: BodyWriter = (result, { path, time }, format, asOf = time) => {
    if (result.file !== undefined) return whole(result.file.mediaType, result.file.text)
    const rendering = result.renderings?.[format]
    if (rendering !== undefined) {
      const made = rendering()
      return whole(
        (modules.get(format) ?? formatModules.json).mediaType,
        typeof made === 'string' ? made : JSON.stringify(made)
      )
    }
    const { mirror } = result
    if (mirror !== undefined)
      return { mediaType: formatModules.json.mediaType, mirror, etag: () => `W/"${mirror.etag}"` }
    const module = modules.get(format)
    if (module === undefined) throw new Error(`Not checked before it was used: format ${format}.`)
    if (format !== 'json') return whole(module.mediaType, module.render(view(result, path)))
    if (surface.contract === 'envelope' || (surface.contract === 'math-mirror' && result.error !== undefined)) {
      const isDeclared = result.next === undefined && result.language === undefined && result.sources === undefined
      const facts = isDeclared
        ? declared
        : {
            ...declared,
            ...(result.next === undefined ? {} : { nextLink: path + result.next }),
            ...(result.language === undefined ? {} : { language: languageMember(result.language) }),
            ...(result.sources === undefined
              ? {}
              : { sources: result.sources, sourceLicense: result.sourceLicense ?? declared.sourceLicense })
          }
      return envelopeText(meta, path, result.asOf ?? asOf, facts, result)
    }
    const error = errorBody(result)
    return whole(module.mediaType, JSON.stringify(error === undefined ? result.data : { error }))
  }
  return (result, request, format, asOf) => {
    const text = write(result, request, format, asOf)
    // Two languages may have the same text, but they are different representations and need different ETags.
    const { language } = result
    return language === undefined ? text : { ...text, etag: () => weakEtag(`${language.tag}\n${text.etag()}`) }
  }
}

/** Formats that people read, in order of preference. */
const readable = ['html', 'txt', 'md']

const formOf = ({ formats }: Surface): string => {
  const format = readable.find(name => formats.includes(name))
  return format === undefined || format === formats[0] ? '' : `?format=${format}`
}

/**
 * Returns a function that gives the absolute URL at which a person reads an entry: the surface that shows one entry of
 * the corpus, or the path of the list where no such surface exists.
 */
function compileReadAt(
  surface: Surface,
  { surfaces, byId, service }: Registry
): (corpus: Pick<Corpus, 'name' | 'key'>, path: string) => (entry: Entry) => string {
  const pathTo = compilePathTo(byId)
  return ({ name, key }, path) => {
    const one = surfaces.find(
      ({ shows, route }) => shows?.as === 'one' && shows.corpus === name && route.placeholders.length === 1
    )
    const [placeholder = ''] = one?.route.placeholders ?? []
    return entry =>
      service.base_url +
      (one === undefined
        ? `${path}${formOf(surface)}`
        : pathTo(one.id, { [placeholder]: (entry[key] as string).toWellFormed() }) + formOf(one))
  }
}

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

/**
 * Returns a weak entity tag (RFC 9110 §8.8.3): a hash of `seed`, the text that identifies the stable content of a
 * representation.
 */
export function weakEtag(seed: string): string {
  return `W/"${hash('sha256', seed, 'hex').slice(0, 32)}"`
}

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag)

// One member of the list, with the comma after it (RFC 9110 §5.6.1, §8.8.3). Members may be empty: a recipient skips
// them.
const member = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * Tells whether an If-None-Match field matches an entity tag by weak comparison (RFC 9110 §13.1.2); the response is
 * then 304. `*` matches every tag. In a malformed field only the tags before the mistake count; the function never
 * throws.
 */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true
  const wanted = opaque(etag)
  for (let at = 0; at < header.length;) {
    member.lastIndex = at
    const found = member.exec(header)
    if (found === null) return false
    if (found[1] === wanted) return true
    at = member.lastIndex
  }
  return false
}
