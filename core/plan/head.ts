import { isOpen } from '../access/index.ts'
import { memoize } from '../canonical/work.ts'
import { alternate, link } from '../contract/envelope.ts'
import { formatModules } from '../format/index.ts'
import type { RateState } from '../handler/errors.ts'
import type { Segment, Target } from '../manifest/paths.ts'
import type { Service } from '../manifest/service.ts'
import { isFontFile } from '../manifest/theme.ts'
import { pagesOf, type Surface } from '../manifest/surface.ts'
import { placeOf, type Place } from '../registry/place.ts'
import type { Registry } from '../registry/registry.ts'
import { exposedHeaders } from '../vocabulary/response-headers.ts'
import { languagesOf } from './choose.ts'
import { compileRelated } from './entry-pages.ts'
import type { Result } from './kind.ts'
import type { Answer, BodyText, PlanRequest } from './request.ts'

/** Content-Security-Policy by media type. */
const policies = new Map(
  Object.values(formatModules).flatMap(({ mediaType, policy }) => (policy === undefined ? [] : [[mediaType, policy]]))
)
const { mediaType: pageType } = formatModules.html
const defaultPolicy = "default-src 'none'; frame-ancestors 'none'"

// The forms of names and values (RFC 9110 §5.1, §5.5). A line break in a value would start another field.
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/
const notInValues = /[^\t\x20-\x7e\x80-\xff]/

/** Writes a header field with its line end. Throws a TypeError for characters that are not allowed. */
export function writeField(name: string, value: string): string {
  if (!fieldName.test(name) || notInValues.test(value))
    throw new TypeError(`The header ${JSON.stringify(name)} has a character that no header may have.`)
  return `${name}: ${value}\r\n`
}

export const writeFields = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => writeField(name, value))
    .join('')

export function parseFields(head: string): (readonly [name: string, value: string])[] {
  const found: (readonly [string, string])[] = []
  for (let at = 0; at < head.length;) {
    const [colon, end] = [head.indexOf(':', at), head.indexOf('\r\n', at)]
    found.push([head.slice(at, colon), head.slice(colon + 2, end)])
    at = end + 2
  }
  return found
}

/** Returns the Content-Security-Policy of a media type. Pages load fonts only where the theme has a file of one. */
function policyOf({ theme: { font = [] } }: Service, mediaType = ''): string {
  const policy = policies.get(mediaType) ?? defaultPolicy
  return mediaType === pageType && font.some(isFontFile) ? `${policy}; font-src 'self'` : policy
}

const cachedFields = memoize<Service, Map<string, string>>(() => new Map())

/**
 * Returns the header fields of every answer of a service. `isShared`: scripts of other origins may read the answer,
 * because it does not depend on the caller. `hasOwnLimit`: the rate limit is left out, because `stamps` writes that of
 * the caller.
 */
export function commonFields(service: Service, mediaType?: string, isShared = true, hasOwnLimit = !isShared): string {
  const cached = cachedFields(service)
  const key = `${mediaType ?? ''}\n${isShared}\n${hasOwnLimit}`
  const known = cached.get(key)
  if (known !== undefined) return known
  const { limit, window_seconds: window } = service.rate_policy
  const fresh = writeFields({
    'X-Spec-Version': service.spec_version,
    'Accept-Ranges': 'none',
    ...(hasOwnLimit ? {} : { 'RateLimit-Limit': String(limit), 'RateLimit-Policy': `${limit};w=${window}` }),
    ...(isShared ? { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposedHeaders } : {}),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policyOf(service, mediaType),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': isShared ? 'cross-origin' : 'same-origin',
    ...(service.base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {})
  })
  cached.set(key, fresh)
  return fresh
}

export const withoutContent = (status: number, head: string): Answer => ({ status, head, body: '', encoding: 'latin1' })

export const noStore = 'no-store'

/** Cache-Control of an answer that depends on the caller (RFC 9111 §5.2.2.7). */
const privateNoStore = 'private, no-store'

/** Tells whether a gateway has forwarded the request: it adds one of these fields (RFC 9110 §7.6.3, RFC 7239). */
const isForwarded = ({ headers }: PlanRequest): boolean =>
  headers['via'] !== undefined || headers['forwarded'] !== undefined || headers['x-forwarded-for'] !== undefined

export const usedUp = ({ rate }: PlanRequest, retryAfter: string | undefined): RateState => ({
  ...rate,
  remaining: 0,
  resetSeconds: Number(retryAfter ?? rate.resetSeconds)
})

/**
 * Returns Cache-Control and the headers that belong to one request. A gateway may give a stored response to anyone, so
 * a public answer to a gateway has none of them. A public answer without a gateway lists them in `no-cache`: a cache
 * that we do not recognise stores the answer without them, or not at all (RFC 9111 §5.2.2.4).
 */
export function stamps(request: PlanRequest, control = noStore, hasOwnLimit = control === privateNoStore): string {
  const isShared = control.startsWith('public')
  if (isShared && isForwarded(request)) return `Cache-Control: ${control}\r\n`
  const ofOneRequest = isShared ? ', no-cache="RateLimit-Remaining, RateLimit-Reset, X-Request-Id"' : ''
  const { requestId, rate } = request
  const policy = hasOwnLimit
    ? `RateLimit-Limit: ${rate.limit}\r\nRateLimit-Policy: ${rate.limit};w=${rate.windowSeconds}\r\n`
    : ''
  return `Cache-Control: ${control}${ofOneRequest}\r\n${policy}X-Request-Id: ${requestId}\r\nRateLimit-Remaining: ${rate.remaining}\r\nRateLimit-Reset: ${rate.resetSeconds}\r\n`
}

/**
 * Returns a function that makes Cache-Control. Failures, answers to methods other than GET and HEAD, and answers of
 * surfaces that identify callers are never stored (RFC 9111 §5.2.2.5). Clients may store the others for the freshness
 * budget, up to an hour, and shared caches for three budgets, up to a day, unless the manifest sets other values.
 */
export function compileCacheControl(surface: Surface): (status: number, method: string) => string {
  if (!isOpen(surface.access)) return () => privateNoStore
  const { seconds } = surface.freshness
  const { maxAge, sMaxAge } =
    surface.cache === undefined || surface.cache === noStore
      ? { maxAge: Math.min(seconds, 3600), sMaxAge: Math.min(3 * seconds, 86400) }
      : surface.cache
  const shared = `public, max-age=${maxAge}, s-maxage=${sMaxAge}`
  return (status, method) =>
    status >= 400 || (method !== 'GET' && method !== 'HEAD') || surface.cache === noStore ? noStore : shared
}

/** Returns the fields Deprecation (RFC 9745 §2.1, a date of RFC 9651) and Sunset (RFC 8594 §3, an HTTP date). */
const deprecationFields = ({ deprecation }: Surface): string =>
  deprecation === undefined
    ? ''
    : writeFields({
        Deprecation: `@${Date.parse(deprecation.date) / 1000}`,
        ...(deprecation.sunset === undefined ? {} : { Sunset: new Date(deprecation.sunset).toUTCString() })
      })

/** Returns the field X-Robots-Tag of a page that no search engine may keep. */
const robotsField = ({ page }: Surface): string =>
  page?.isIndexed === false ? writeFields({ 'X-Robots-Tag': 'noindex' }) : ''

/** Returns the value of `Vary` (RFC 9110 §12.5.5). */
const varyOf = (surface: Surface, service: Service): string =>
  [
    ...(surface.formats.length > 1 ? ['Accept'] : []),
    'Accept-Encoding',
    ...(languagesOf(surface, service) === undefined ? [] : ['Accept-Language']),
    ...(isOpen(surface.access) ? [] : ['Authorization, Cookie'])
  ].join(', ')

/**
 * Fills the placeholders of `to` with the values that `path` has for the same names in `from`; undefined if a value is
 * missing.
 */
function pathAt(to: readonly Segment[], from: readonly Segment[], path: string): string | undefined {
  const parts = path.split('/').slice(1)
  const values = new Map(
    from.flatMap((segment, at) => ('placeholder' in segment ? [[segment.placeholder, parts[at] ?? '']] : []))
  )
  const filled = to.map(segment => ('placeholder' in segment ? values.get(segment.placeholder) : segment.literal))
  return filled.includes(undefined) ? undefined : `/${filled.join('/')}`
}

/** Returns the canonical path for a path that matches an alias; undefined for any other. */
function canonicalPath({ aliases, segments }: Surface['route'], path: string): string | undefined {
  const parts = path.split('/').slice(1)
  const alias = aliases.find(
    ({ segments: own }) =>
      own.length === parts.length &&
      own.every((segment, at) => 'placeholder' in segment || segment.literal === parts[at])
  )
  return alias === undefined ? undefined : pathAt(segments, alias.segments, path)
}

/** Returns the part of a query whose parameters a target names, with its `?`. */
function queryFor({ names }: Target, asked = ''): string {
  const given = new URLSearchParams(asked)
  const passed = names.flatMap(name => [...given].filter(([own]) => own === name))
  return passed.length === 0 ? '' : `?${new URLSearchParams(passed).toString()}`
}

/**
 * Returns a function that makes `alternate` links from a page to the first surface that it shows, or from a surface to
 * such pages, each with what was asked.
 */
function compileAlternates(
  surface: Surface,
  surfaces: readonly Surface[]
): (result: Result, path: string) => readonly string[] {
  const { route, page } = surface
  if (page?.sends !== undefined) return () => []
  const [shown] = page?.shows ?? []
  if (shown !== undefined)
    return ({ shows }, path) => {
      const target = shows ?? pathAt(shown.segments, route.segments, path)
      return target === undefined ? [] : [alternate(target, 'application/json')]
    }
  const pages = pagesOf(surface, surfaces)
  return ({ asked }, path) =>
    pages.flatMap(({ page, asks }) => {
      const target = pathAt(page.route.segments, asks.segments, path)
      return target === undefined ? [] : [alternate(target + queryFor(asks, asked), 'text/html')]
    })
}

/**
 * Returns a function that makes the links that only some answers have (RFC 8288): `next`, `canonical` (RFC 6596: an
 * alias was requested), `deprecation` (RFC 9745 §3: the manifest document), `successor-version` (RFC 5829),
 * `alternate` for each other language and between page and data, and `related` for what a row refers to.
 */
function compileOwnLinks(surface: Surface, registry: Registry): (result: Result, path: string) => readonly string[] {
  const { byId, surfaces } = registry
  const { route, deprecation } = surface
  const directory = surfaces.find(({ serves }) => serves === 'manifest')?.route.path
  const successor = byId.get(deprecation?.successor ?? '')?.route.path
  const linkTo = (target: string | undefined, rel: string): string[] =>
    target === undefined ? [] : [link(target, rel)]
  const fixed =
    deprecation === undefined ? [] : [...linkTo(directory, 'deprecation'), ...linkTo(successor, 'successor-version')]
  const alternates = compileAlternates(surface, surfaces)
  const related = compileRelated(surface, registry)
  return (result, path) => {
    const { next, language } = result
    return [
      ...alternates(result, path),
      ...(next === undefined ? [] : [link(path + next, 'next')]),
      ...related(result).map(target => link(target, 'related')),
      ...(route.aliases.length === 0 ? [] : linkTo(canonicalPath(route, path), 'canonical')),
      ...[...(language?.queries ?? [])].flatMap(([tag, query]) =>
        tag === language?.tag ? [] : [link(path + query, 'alternate', tag)]
      ),
      ...fixed
    ]
  }
}

/**
 * `unchanged` has no fields that describe the content, for a 304 (RFC 9110 §15.4.5). `bytes` counts only the fields
 * that other answers do not share.
 */
export type Heads = Readonly<{
  control: string
  head: string
  unchanged: string
  etag: string | undefined
  bytes: number
}>
type SharedFields = Readonly<{ content: string; always: string }>
type Described = Pick<BodyText, 'mediaType'> & Readonly<{ etag: () => string | undefined }>
export type HeadWriter = (result: Result, text: Described, path: string, method: string) => Heads

/** The characters of an entity tag between its quotation marks (RFC 9110 §8.8.3), without those beyond ASCII. */
const tagForm = /^[\x21\x23-\x7e]+$/

/**
 * Returns the entity tag of an answer: a strong one of a reply that names it, also where nothing may store the answer,
 * because it is for `If-Match`; else the weak one of the content. Throws a TypeError for a text that no tag can hold.
 */
function tagOf({ status, etag }: Result, text: Described, control: string): string | undefined {
  if (status >= 300) return undefined
  if (etag === undefined || text.mediaType !== formatModules.json.mediaType)
    return control.endsWith(noStore) ? undefined : text.etag()
  if (!tagForm.test(etag)) throw new TypeError('The `etag` of a reply has a character that no entity tag may have.')
  return `"${etag}"`
}

/** Completes the path of a redirect that was written without the path that the service is under. */
const placed = (fields: Readonly<Record<string, string>>, place: Place): Readonly<Record<string, string>> =>
  fields['Location'] === undefined ? fields : { ...fields, Location: place(fields['Location']) }

/** Returns a function that writes the headers of an answer except the stamps, Content-Length and Content-Encoding. */
export function compileHeads(surface: Surface, registry: Registry, links: (path: string) => string): HeadWriter {
  const cached = new Map<string, SharedFields>()
  const place = placeOf(registry)
  const ownLinks = compileOwnLinks(surface, registry)
  const controlOf = compileCacheControl(surface)
  const sharedFields = (mediaType: string, ownVary = ''): SharedFields => {
    const key = `${mediaType}\n${ownVary}`
    const known = cached.get(key)
    if (known !== undefined) return known
    const vary = varyOf(surface, registry.service) + (ownVary === '' ? '' : `, ${ownVary}`)
    const made = {
      content: writeFields({ 'Content-Type': mediaType, 'X-Content-License': surface.license }),
      always:
        commonFields(registry.service, mediaType, isOpen(surface.access)) +
        writeField('Vary', vary) +
        robotsField(surface) +
        deprecationFields(surface)
    }
    cached.set(key, made)
    return made
  }
  return (result, text, path, method) => {
    const { 'Cache-Control': ownControl, Vary: ownVary, ...rest } = result.headers ?? {}
    const control = ownControl ?? controlOf(result.status, method)
    const etag = tagOf(result, text, control)
    const { content, always } = sharedFields(text.mediaType, ownVary)
    const own = ownLinks(result, path)
    const shown = surface.contract === 'envelope' ? [links(path), ...own] : own
    const ownFields =
      (shown.length === 0 ? '' : writeField('Link', shown.join(', '))) +
      (etag === undefined ? '' : `ETag: ${etag}\r\n`) +
      (result.headers === undefined ? '' : writeFields(placed(rest, place))) +
      (result.cookies ?? []).map(cookie => writeField('Set-Cookie', cookie)).join('')
    const unchanged = always + ownFields
    const language =
      result.language === undefined ? '' : writeField('Content-Language', result.language.content.join(', '))
    return { control, head: content + language + unchanged, unchanged, etag, bytes: ownFields.length + language.length }
  }
}
