import { hash } from 'node:crypto'
import type { JsonObject } from '../canonical/json.ts'
import { originOf } from '../canonical/url.ts'
import { metaFactsOf, siteOf, type ErrorBody, type MetaFacts, type MetaWriter } from '../contract/envelope.ts'
import { mirrorBytes, mirrorContent, mirrorStamp } from '../contract/math-mirror.ts'
import type { View } from '../format/format.ts'
import { placeLinks } from '../format/html.ts'
import { formatModules, formatTable, type Format } from '../format/index.ts'
import type { Surface } from '../manifest/surface.ts'
import { inLanguage } from '../registry/languages.ts'
import type { Registry } from '../registry/registry.ts'
import { diagnosticPath } from '../vocabulary/words.ts'
import { chooseEncoding, type Encoding } from './choose.ts'
import { compress, prepareBody, minCompressedBytes, type PreparedBody } from './codings.ts'
import { compileEntryPages } from './entry-pages.ts'
import { compileRowsOf } from './rows-of-reply.ts'
import { stamps, usedUp, withoutContent, type Heads, type HeadWriter } from './head.ts'
import { exactText, requireExact } from './exact.ts'
import type { AnswerLanguage, Result } from './kind.ts'
import { andThen, type Answer, type BodyText, type CutText, type MaybePromise, type PlanRequest } from './request.ts'

export const errorBody = (result: Pick<Result, 'error' | 'status'>, base: string): ErrorBody | undefined =>
  result.error === undefined
    ? undefined
    : { ...result.error, status: result.status, docs: `${base}${diagnosticPath}#${result.error.code}` }

/** Writes `{ data, error?, _meta }` as JSON text, cut where the time and the request id go. `data` is JSON text. */
export function envelopeText(
  meta: MetaWriter,
  path: string,
  asOf: string,
  facts: MetaFacts,
  result: Result,
  base: string,
  data = JSON.stringify(result.data)
): CutText {
  const error = errorBody(result, base)
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

/** Returns the encoding of a text of `bytes` bytes in UTF-8: `latin1` if it is all ASCII, which is faster. */
export const encodingOf = (text: string, bytes: number): 'latin1' | 'utf8' =>
  text.length === bytes ? 'latin1' : 'utf8'

const whole = (mediaType: string, text: string, isBinary = false): BodyText => ({
  mediaType,
  pieces: [text],
  isBinary,
  etag: () => weakEtag(text)
})

const languageMember = ({ tag, queries, untranslated }: AnswerLanguage): JsonObject => {
  const available = [...queries.keys()]
  return {
    tag,
    available,
    fallback: Object.keys(untranslated).length === 0 ? null : { tag: available[0] ?? tag, untranslated }
  }
}

type BodyWriter = (result: Result, request: { path: string; time: string }, format: Format, asOf?: string) => BodyText

/** Returns a function that writes a result as text, by the contract of the surface and the chosen format. */
export function compileBody(surface: Surface, registry: Registry, meta: MetaWriter): BodyWriter {
  const { service } = registry
  const { under } = siteOf(registry)
  const base = under?.base ?? ''
  const origin = originOf(service.base_url)
  const shown = (text: string, format: Format): string =>
    under === undefined || format !== 'html' ? text : placeLinks(text, under.place)
  const declared = metaFactsOf(surface, registry)
  const modules = formatTable(service.formats)
  const rowsOf = compileRowsOf(surface.output)
  const pagesFor = compileEntryPages(surface, registry)
  const isOne = surface.shows?.as === 'one'
  const nextLinkOf = (next: string | undefined, path: string): string | undefined =>
    next === undefined || !service.next_link ? undefined : path + next
  const ofPage = (tag: string | undefined) => {
    const spoken = inLanguage(registry, tag)
    const { title, summary } = spoken.byId.get(surface.id) ?? surface
    return { title, summary, service: spoken.service.name, site: siteOf(spoken) }
  }
  const view = ({ data, prose, language, list, next, all, asked }: Result, path: string): View => ({
    ...ofPage(language?.tag),
    url: `${origin}${path}`,
    origin,
    path,
    asked,
    contact: service.contact.email,
    since: surface.since,
    deprecation: surface.deprecation,
    data,
    ...(prose === undefined ? {} : { prose }),
    ...(language === undefined ? {} : { language: language.tag }),
    ...(list === undefined
      ? {}
      : {
          list: {
            entries: list.entries,
            key: list.corpus.key,
            roles: list.corpus.roles,
            columns: list.columns,
            isOne,
            ...pagesFor(list.corpus, path),
            next: next === undefined ? undefined : path + next,
            all: all === undefined ? undefined : path + all
          }
        })
  })
  const factsOf = ({ next, language, sources, sourceLicense }: Result, path: string): MetaFacts => {
    const nextLink = nextLinkOf(next, path)
    return nextLink === undefined && language === undefined && sources === undefined
      ? declared
      : {
          ...declared,
          ...(nextLink === undefined ? {} : { nextLink }),
          ...(language === undefined ? {} : { language: languageMember(language) }),
          ...(sources === undefined ? {} : { sources, sourceLicense: sourceLicense ?? declared.sourceLicense })
        }
  }
  const textOfData = (value: unknown): string => exactText(surface.id, value)
  const write: BodyWriter = (result, { path, time }, format, asOf = time) => {
    const { file, mirror } = result
    if (file !== undefined) return whole(file.mediaType, file.text, file.isBinary)
    const rendering = result.renderings?.[format]
    if (rendering !== undefined) {
      const made = rendering()
      const { mediaType } = modules.get(format) ?? formatModules.json
      return whole(mediaType, typeof made === 'string' ? shown(made, format) : textOfData(made))
    }
    if (mirror !== undefined && format === 'json')
      return { mediaType: formatModules.json.mediaType, mirror, etag: () => `W/"${mirror.etag}"` }
    const module = modules.get(format)
    if (module === undefined) throw new Error(`Not checked before it was used: format ${format}.`)
    if (format !== 'json') {
      const data = mirror === undefined ? result.data : mirrorContent(mirror)
      requireExact(surface.id, data)
      const seen = view({ ...result, data }, path)
      const listed =
        seen.list === undefined && module.of.includes('list') ? { ...seen, list: rowsOf(seen.data, seen.url) } : seen
      return whole(module.mediaType, shown(module.render(listed), format))
    }
    if (surface.contract === 'envelope' || (surface.contract === 'math-mirror' && result.error !== undefined))
      return envelopeText(meta, path, result.asOf ?? asOf, factsOf(result, path), result, base, textOfData(result.data))
    const error = errorBody(result, base)
    return whole(module.mediaType, textOfData(error === undefined ? result.data : { error }))
  }
  return (result, request, format, asOf) => {
    const text = write(result, request, format, asOf)
    // Two languages may have the same text, but they are different representations and need different ETags.
    const { language } = result
    return language === undefined ? text : { ...text, etag: () => weakEtag(`${language.tag}\n${text.etag()}`) }
  }
}

/**
 * An answer without the stamps of a request. `vary`: the request headers that the handler named in `Vary`, in
 * lowercase. `bytes`: the memory in bytes that the answer uses so far.
 */
export type PreparedAnswer = Readonly<
  Omit<Heads, 'bytes'> & { status: number; vary: readonly string[]; body: PreparedBody; bytes: () => number }
>

type Presenter = Readonly<{
  prepare: (result: Result, text: BodyText, path: string, method: string) => PreparedAnswer
  once: (result: Result, text: BodyText, request: PlanRequest) => MaybePromise<Answer>
}>

const firstOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

const isUnchanged = (etag: string | undefined, { headers, method }: PlanRequest): boolean => {
  const reads = method === 'GET' || method === 'HEAD'
  const condition = etag === undefined || !reads ? undefined : firstOf(headers['if-none-match'])
  return etag !== undefined && condition !== undefined && matchesIfNoneMatch(condition, etag)
}

export const codingFor = ({ headers }: PlanRequest, offered: readonly Encoding[]): Encoding =>
  offered.length === 0 ? 'identity' : chooseEncoding(firstOf(headers['accept-encoding']), offered)

const lengthFields = (coding: Encoding, length: number): string =>
  `${coding === 'identity' ? '' : `Content-Encoding: ${coding}\r\n`}Content-Length: ${length}\r\n`

const stampsOf = (request: PlanRequest, status: number, control: string, retryAfter?: string): string =>
  stamps(status === 429 ? { ...request, rate: usedUp(request, retryAfter) } : request, control)

const none: readonly Encoding[] = []
/** The content codings of an answer that is made for one request, best first. */
export const both: readonly Encoding[] = ['gzip', 'br']
export const levels = { br: 4, gzip: 4 }

export function compilePresenter(headsOf: HeadWriter): Presenter {
  return {
    prepare(result, text, path, method) {
      const heads = headsOf(result, text, path, method)
      const body = prepareBody(text)
      const vary = result.headers?.['Vary']?.toLowerCase().split(/, */) ?? []
      return { status: result.status, ...heads, vary, body, bytes: () => heads.bytes + body.bytes() }
    },
    once(result, text, request) {
      const { control, head, unchanged, etag } = headsOf(result, text, request.path, request.method)
      const { status } = result
      const stamped = stampsOf(request, status, control, result.headers?.['Retry-After'])
      if (isUnchanged(etag, request)) return withoutContent(304, unchanged + stamped)
      const { body, length, encoding } = wholeBody(text, request)
      const isFixed = length < minCompressedBytes || ('pieces' in text && text.isBinary === true)
      const coding = codingFor(request, isFixed ? none : both)
      if (coding === 'identity') return { status, head: head + stamped + lengthFields(coding, length), body, encoding }
      return andThen(compress(Buffer.from(body, encoding), coding, levels), bytes => ({
        status,
        head: head + stamped + lengthFields(coding, bytes.length),
        body: bytes,
        encoding: 'latin1'
      }))
    }
  }
}

type WholeBody = Readonly<{ body: string; length: number; encoding: Answer['encoding'] }>

function wholeBody(text: BodyText, { time, requestId }: PlanRequest): WholeBody {
  if ('mirror' in text) {
    const bytes = mirrorBytes(text.mirror)
    const body = bytes.before + mirrorStamp(bytes, time) + bytes.after
    return { body, length: body.length, encoding: 'latin1' }
  }
  const [a, b, c] = text.pieces
  if (text.isBinary === true) return { body: a, length: a.length, encoding: 'latin1' }
  const body = b === undefined ? a : `${a}${time}${b}${requestId}${c}`
  const length = Buffer.byteLength(body)
  return { body, length, encoding: encodingOf(body, length) }
}

export function answerPrepared(prepared: PreparedAnswer, request: PlanRequest): MaybePromise<Answer> {
  const { status, control, head, unchanged, etag, body: content } = prepared
  const stamped = stampsOf(request, status, control)
  if (isUnchanged(etag, request)) return withoutContent(304, unchanged + stamped)
  const coding = codingFor(request, content.codings)
  return andThen(content.write(coding, request.time, request.requestId), ({ body, length }) => ({
    status,
    head: head + stamped + lengthFields(coding, length),
    body,
    encoding: 'latin1'
  }))
}

/** Returns a weak entity tag (RFC 9110 §8.8.3): a hash of the stable content of a representation. */
export const weakEtag = (seed: string): string => `W/"${hash('sha256', seed, 'hex').slice(0, 32)}"`

const opaque = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag)

// One member of the list, with the comma after it (RFC 9110 §5.6.1, §8.8.3). Members may be empty: a recipient skips
// them.
const member = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * Tells whether an If-None-Match field matches an entity tag by weak comparison (RFC 9110 §13.1.2). `*` matches every
 * tag. In a malformed field only the tags before the mistake count.
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
