import { isOpen } from '../access/index.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { metaFactsOf, siteOf, unclaimedFacts, type MetaWriter } from '../contract/envelope.ts'
import { escapeXml, type Site } from '../format/format.ts'
import { writePage } from '../format/html.ts'
import { formatModules } from '../format/index.ts'
import { SurfaceError, type FailureFacts } from '../handler/errors.ts'
import { expandTarget, movedTarget, plainPath, withoutBase } from '../manifest/paths.ts'
import { errorCodesOf } from '../manifest/service-defaults.ts'
import type { Surface } from '../manifest/surface.ts'
import { inLanguage } from '../registry/languages.ts'
import type { Registry } from '../registry/registry.ts'
import { errorCodes } from '../vocabulary/error-codes.ts'
import { fill, type Language } from '../vocabulary/language.ts'
import type { Word } from '../vocabulary/texts.ts'
import { apiPrefix } from '../vocabulary/words.ts'
import { compilePreferred, negotiateFormat } from './choose.ts'
import { late } from './deadline.ts'
import { maxPathLength } from './dispatch.ts'
import { commonFields, compileCacheControl, writeField, writeFields, noStore, stamps, usedUp } from './head.ts'
import type { Result } from './kind.ts'
import type { Answer, PlanRequest } from './request.ts'
import { encodingOf, envelopeText, errorBody } from './write.ts'

export type FailureResponder = Readonly<{
  /**
   * Answers anything that was thrown. A SurfaceError with an undeclared code, and any other error, is reported with
   * `onFault` and answered as INTERNAL, without its message.
   */
  ofError: (error: unknown, request: PlanRequest, surface?: Surface) => Answer
  /** Answers a failure that was not thrown. */
  ofFacts: (facts: FailureFacts, request: PlanRequest, surface?: Surface) => Answer
  /** Reports with `onFault` what gave no answer within `seconds`, and answers 503. */
  ofLate: (fault: Error, seconds: number, request: PlanRequest) => Answer
  /** Reports with `onFault` why an answer was cut after it had begun. */
  ofCut: (error: unknown, request: PlanRequest, surface: Surface) => void
}>

/** Called for a 503 that another error caused, such as one of a store. `route`: the path of the surface. */
export type UnavailableListener = (error: SurfaceError, requestId: string, route: string) => void

const withStatus = (error: SurfaceError, status: number): FailureFacts =>
  Object.create(error, { status: { value: status } }) as SurfaceError & { readonly status: number }

type FailureText = Readonly<{ mediaType: string; body: string; enveloped: boolean }>

export function compileFailureResponder(
  registry: Registry,
  meta: MetaWriter,
  links: (path: string) => string,
  onFault: (error: unknown, requestId: string) => void,
  onUnavailable: UnavailableListener = () => undefined
): FailureResponder {
  const { service } = registry
  const base = registry.moved?.base ?? ''
  const isOfApi = (path: string): boolean => withoutBase(base, plainPath(path)).startsWith(apiPrefix)
  const unclaimed = unclaimedFacts(service)
  const codes = errorCodesOf(service)
  const facts = new Map(registry.surfaces.map(surface => [surface, metaFactsOf(surface, registry)]))

  const { languages } = service
  const preferred = compilePreferred(languages)
  /** Returns the language of a failure: that of `lang`, else the preferred one; undefined if there is one only. */
  const languageOf = (request: PlanRequest): string | undefined => {
    if (languages.length < 2) return undefined
    const asked = request.search === '' ? null : new URLSearchParams(request.search).get('lang')
    return asked !== null && languages.includes(asked) ? asked : preferred(request)
  }

  /** Returns the path of the page of a form. */
  const backOf = (surface: Surface | undefined, { params }: PlanRequest): string | undefined => {
    const back = surface?.page?.back
    return back && expandTarget(movedTarget(base, back), name => params[name])
  }

  const textOf = (
    result: Result,
    request: PlanRequest,
    surface: Surface | undefined,
    spoken: Registry
  ): FailureText => {
    const { html, json } = formatModules
    if (surface === undefined ? wantsPage(request, base) : surface.formats[0] === 'html')
      return {
        mediaType: html.mediaType,
        body: failurePage(siteOf(spoken), result, request, { surface, back: backOf(surface, request) }),
        enveloped: false
      }
    if (surface?.contract === 'envelope' || isOfApi(request.path)) {
      const metaFacts = (surface === undefined ? undefined : facts.get(surface)) ?? unclaimed
      const {
        mediaType,
        pieces: [a, b, c]
      } = envelopeText(meta, request.path, result.asOf ?? request.time, metaFacts, result, base)
      return { mediaType, body: `${a}${request.time}${b ?? ''}${request.requestId}${c ?? ''}`, enveloped: true }
    }
    return { mediaType: json.mediaType, body: JSON.stringify({ error: errorBody(result, base) }), enveloped: false }
  }

  const ofFacts: FailureResponder['ofFacts'] = (failure, original, surface) => {
    const { code, message, details, data, status, headers, asOf, rate: own } = failure
    const refusedRate = status === 429 ? usedUp(original, headers['Retry-After']) : undefined
    const rate = own ?? refusedRate
    const path = original.path.slice(0, maxPathLength)
    // A path that is too long is shortened, because it would appear in the body and in the Link header.
    const request = path === original.path ? original : { ...original, path }
    const language = languageOf(original)
    const spoken = inLanguage(registry, language)
    const { messageOf } = spoken.language
    const result: Result = {
      status,
      data,
      error: {
        code,
        message: messageOf(message),
        ...(details === undefined ? {} : { details: detailsIn(details, messageOf) })
      },
      ...(asOf === undefined ? {} : { asOf })
    }
    const { mediaType, body, enveloped } = textOf(result, request, surface, spoken)
    const { Connection: connection, ...others } = headers
    // For a path that no surface matches, and that is not of the API, `Accept` decides between HTML and JSON.
    const varied = [
      ...(surface === undefined && !isOfApi(path) ? ['Accept'] : []),
      ...(language === undefined ? [] : ['Accept-Language'])
    ]
    const fields = {
      ...others,
      ...(varied.length === 0 ? {} : { Vary: varied.join(', ') }),
      ...(language === undefined ? {} : { 'Content-Language': language })
    }
    const length = Buffer.byteLength(body)
    const isShared = surface === undefined || isOpen(surface.access)
    const hasOwnLimit = !isShared || rate !== undefined
    const control = isShared ? noStore : compileCacheControl(surface)(status, request.method)
    return {
      status,
      head:
        writeField('Content-Type', mediaType) +
        commonFields(service, mediaType, isShared, hasOwnLimit) +
        (enveloped ? writeField('Link', links(path)) : '') +
        writeFields(fields) +
        stamps(rate === undefined ? request : { ...request, rate }, control, hasOwnLimit) +
        `Content-Length: ${length}\r\n`,
      ...(connection === undefined ? {} : { closes: true as const }),
      body,
      encoding: encodingOf(body, length)
    }
  }
  return {
    ofFacts,
    ofLate(fault, seconds, request) {
      onFault(fault, request.requestId)
      return ofFacts(withStatus(late(seconds), errorCodes.SOURCE_UNAVAILABLE.status), request)
    },
    ofCut(error, { requestId }, { id }) {
      onFault(new Error(`The stream of \`${id}\` was cut.`, { cause: error }), requestId)
    },
    ofError(error, request, surface) {
      try {
        if (!(error instanceof SurfaceError)) throw error
        const declared = codes[error.code]
        if (declared === undefined)
          throw new Error(`\`${error.code}\` is not declared under \`errors:\` in service.yaml.`, { cause: error })
        if (declared.status === 503 && error.cause !== undefined)
          onUnavailable(error, request.requestId, surface?.route.path ?? 'unclaimed')
        // Headers and details of a SurfaceError may be such that they cannot be sent.
        return ofFacts(withStatus(error, declared.status), request, surface)
      } catch (fault) {
        onFault(fault, request.requestId)
      }
      const fault = new SurfaceError(
        'INTERNAL',
        'The service failed to answer. The request id finds the fault in its log.'
      )
      return ofFacts(withStatus(fault, errorCodes.INTERNAL.status), request, surface)
    }
  }
}

/**
 * Tells whether to answer with a page, because `Accept` prefers HTML, as in browsers. Below `/api/` every caller gets
 * JSON.
 */
const wantsPage = ({ path, headers: { accept } }: PlanRequest, base: string): boolean =>
  !withoutBase(base, plainPath(path)).startsWith('/api/') &&
  typeof accept === 'string' &&
  negotiateFormat(accept, ['json', 'html']) === 'html'

/** Returns the details of a failure with the messages of its issues in a language. */
function detailsIn(details: JsonObject, messageOf: (message: string) => string): JsonObject {
  const { message, issues } = details
  return {
    ...details,
    ...(typeof message === 'string' ? { message: messageOf(message) } : {}),
    ...(Array.isArray(issues)
      ? { issues: issues.map((issue: JsonValue) => (isObject(issue) ? detailsIn(issue, messageOf) : issue)) }
      : {})
  }
}

const titles: Readonly<Record<number, Word>> = {
  400: 'That request has a mistake',
  401: 'Please sign in first',
  403: 'This is not for everyone',
  404: 'Nothing is here',
  405: 'That is not possible here',
  410: 'This is gone',
  413: 'That is too much at once',
  415: 'That cannot be read here',
  429: 'Please wait a moment',
  500: 'Something went wrong here',
  503: 'This is not available now'
}

const listOf = (intro: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<p>${intro}</p><ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`

const link = (path: string, label = path): string => `<a href="${escapeXml(path)}">${escapeXml(label)}</a>`

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value)
    ? value.flatMap(item => (typeof item === 'string' || typeof item === 'number' ? [String(item)] : []))
    : []

/** The part of a path that named nothing, and the same path with another name in its place. */
type Missing = Readonly<{ name: string; pathWith: (name: string) => string }>

/** Finds what a page was not found by: the placeholder that the failure names, else the last one of its path. */
function missingIn(
  { status, error }: Result,
  { path, params }: PlanRequest,
  surface: Surface | undefined
): Missing | undefined {
  const { placeholders = [] } = surface?.route ?? {}
  const placeholder = placeholders.find(one => one === error?.details?.['field']) ?? placeholders.at(-1)
  const name = status === 404 && placeholder !== undefined ? params[placeholder] : undefined
  // A path may have more than its template, such as the base of the service, and a page may have several templates.
  const parts = path.split('/')
  const at = parts.findLastIndex(part => decodeURIComponent(part) === name)
  return name === undefined || at === -1
    ? undefined
    : { name, pathWith: other => parts.with(at, encodeURIComponent(other)).join('/') }
}

/** Lists what a value may be, as links where it is a part of the path. */
function allowed({ error }: Result, { say }: Language, missing: Missing | undefined): string {
  const details = error?.details ?? {}
  const list = Object.keys(details).find(name => name === 'allowed' || name.startsWith('known_'))
  const texts = (list === undefined ? [] : textsOf(details[list])).slice(0, 60)
  return listOf(
    escapeXml(say('It may be one of these:')),
    texts.map(text =>
      missing === undefined || list === 'allowed' ? escapeXml(text) : link(missing.pathWith(text), text)
    )
  )
}

/** Lists the suggested paths that have no placeholder, or the names that are nearest to the one that was not found. */
function suggested({ data, error }: Result, { say }: Language, missing: Missing | undefined): string {
  const suggestions = isObject(data) ? data['suggestions'] : undefined
  const texts = isObject(suggestions) ? textsOf(suggestions['did_you_mean']) : []
  const paths = texts.filter(path => path.startsWith('/') && !path.includes('{'))
  const near = missing === undefined ? [] : textsOf(error?.details?.['did_you_mean'])
  return listOf(escapeXml(say('Did you mean one of these?')), [
    ...paths.map(path => link(path)),
    ...near.map(name => link(missing?.pathWith(name) ?? '', name))
  ])
}

/** Leads to the search of the menu, for what was not found. */
function searched({ menu, language: { say } }: Site, missing: Missing | undefined): string {
  const search = menu.find(({ asks }) => asks !== undefined)
  if (search?.asks === undefined || missing === undefined) return ''
  const { path, asks } = search
  const query = new URLSearchParams({ [asks]: missing.name })
  return `<p>${link(`${path}?${query.toString()}`, say('Search for {text}', { text: missing.name }))}</p>`
}

/** Returns the message of a failure in words for people; one that no longer names its field has it before it. */
function plainMessage({ error }: Result, { plainly }: Language): string {
  const { message = '', details = {} } = error ?? {}
  const plain = plainly(message)
  const { field } = details
  return plain === message || typeof field !== 'string' ? plain : `\`${field}\`: ${plain}`
}

function failurePage(
  site: Site,
  result: Result,
  request: PlanRequest,
  { surface, back }: Readonly<{ surface: Surface | undefined; back: string | undefined }>
): string {
  const places = [link(site.home, site.name), ...site.menu.map(entry => link(entry.path, entry.label))]
  const { language } = site
  const { say } = language
  const { status } = result
  const title = titles[status]
  const { path, requestId } = request
  const missing = missingIn(result, request, surface)
  const main = [
    `<p>${escapeXml(plainMessage(result, language))}</p>`,
    back === undefined ? '' : `<p>${link(back, say('Back'))}</p>`,
    suggested(result, language, missing),
    allowed(result, language, missing),
    searched(site, missing),
    `<p>${fill(escapeXml(say('You can go to {places}.')), { places: places.join(', ') })}</p>`,
    `<p><small>${escapeXml(say('Status {status}. Request {request}.', { status, request: requestId }))}</small></p>`
  ].join('')
  return writePage(site, { title: title === undefined ? say('Status {status}', { status }) : say(title), path, main })
}
