import { isOpen } from '../access/index.ts'
import { formatModules } from '../format/index.ts'
import type { Surface } from '../manifest/surface.ts'
import type { RateState } from '../handler/errors.ts'
import type { Service } from '../manifest/service.ts'
import type { PlanRequest } from './request.ts'

/** Response headers that scripts of other origins may read (Fetch §3.2.4). */
const exposedHeaders =
  'Content-Language, Deprecation, ETag, Link, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, X-Content-License, X-Request-Id, X-Spec-Version'

/** Content-Security-Policy by media type, for the formats that have one. */
const policies = new Map(
  Object.values(formatModules).flatMap(({ mediaType, policy }) => (policy === undefined ? [] : [[mediaType, policy]]))
)
const noContent = "default-src 'none'; frame-ancestors 'none'"

// RFC 9110 §5.1 and §5.5. A line break in a value would start another field.
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/
const notInValues = /[^\t\x20-\x7e\x80-\xff]/

/** Writes a header field with its line end. Throws a TypeError for characters that are not allowed. */
export function field(name: string, value: string): string {
  if (!fieldName.test(name) || notInValues.test(value))
    throw new TypeError(`The header ${JSON.stringify(name)} has a character that no header may have.`)
  return `${name}: ${value}\r\n`
}

export const fields = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => field(name, value))
    .join('')

/** Splits a header section into the names and values of its fields. */
export function fieldsOf(head: string): (readonly [name: string, value: string])[] {
  const found: (readonly [string, string])[] = []
  for (let at = 0; at < head.length;) {
    const [colon, end] = [head.indexOf(':', at), head.indexOf('\r\n', at)]
    found.push([head.slice(at, colon), head.slice(colon + 2, end)])
    at = end + 2
  }
  return found
}

const common = new WeakMap<Service, Map<string, string>>()

/**
 * Returns the header fields of every answer of a service, by media type (`undefined` for an answer without content). An
 * answer that depends on the caller (`isShared` false) is not readable by scripts of other origins, and its rate limit
 * is the caller's own. `hasOwnLimit`: the limit is not the common one, so `stamps` writes it.
 */
export function commonFields(service: Service, mediaType?: string, isShared = true, hasOwnLimit = !isShared): string {
  const known = common.get(service) ?? new Map<string, string>()
  common.set(service, known)
  const key = `${mediaType ?? ''}\n${isShared}\n${hasOwnLimit}`
  const made = known.get(key)
  if (made !== undefined) return made
  const { limit, window_seconds: window } = service.rate_policy
  const fresh = fields({
    'X-Spec-Version': service.spec_version,
    'Accept-Ranges': 'none',
    ...(hasOwnLimit ? {} : { 'RateLimit-Limit': String(limit), 'RateLimit-Policy': `${limit};w=${window}` }),
    ...(isShared ? { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposedHeaders } : {}),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policies.get(mediaType ?? '') ?? noContent,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': isShared ? 'cross-origin' : 'same-origin',
    ...(service.base_url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {})
  })
  known.set(key, fresh)
  return fresh
}

export const noStore = 'no-store'

/** Cache-Control of an answer that depends on the caller (RFC 9111 §5.2.2.7). */
const privately = 'private, no-store'

/** Tells whether caches may store an answer with this Cache-Control. */
export const isStored = (control: string): boolean => !control.endsWith(noStore)

/**
 * Tells whether a gateway forwarded the request, by the fields that gateways add (RFC 9110 §7.6.3, RFC 7239, and the
 * common X-Forwarded-For).
 */
const isForwarded = ({ headers }: PlanRequest): boolean =>
  headers['via'] !== undefined || headers['forwarded'] !== undefined || headers['x-forwarded-for'] !== undefined

/** Returns the rate window for a 429: nothing remains until `Retry-After`. */
export const usedUp = ({ rate }: PlanRequest, retryAfter: string | undefined): RateState => ({
  ...rate,
  remaining: 0,
  resetSeconds: Number(retryAfter ?? rate.resetSeconds)
})

/**
 * Returns Cache-Control and the headers that belong to one request. A gateway may give a stored response to anyone, so
 * a public answer to a gateway has none of these headers. A direct answer has them and lists them in `no-cache`: a
 * cache that we do not recognise as one stores the answer without them, or not at all (RFC 9111 §5.2.2.4).
 */
export function stamps(request: PlanRequest, control = noStore, hasOwnLimit = control === privately): string {
  const isShared = control.startsWith('public')
  if (isShared && isForwarded(request)) return `Cache-Control: ${control}\r\n`
  const ofOneRequest = isShared ? ', no-cache="RateLimit-Remaining, RateLimit-Reset, X-Request-Id"' : ''
  const { requestId, rate } = request
  // For answers that depend on the caller or that a limit of their own refused; the other answers have the common
  // limit, which `commonFields` writes.
  const policy = hasOwnLimit
    ? `RateLimit-Limit: ${rate.limit}\r\nRateLimit-Policy: ${rate.limit};w=${rate.windowSeconds}\r\n`
    : ''
  return `Cache-Control: ${control}${ofOneRequest}\r\n${policy}X-Request-Id: ${requestId}\r\nRateLimit-Remaining: ${rate.remaining}\r\nRateLimit-Reset: ${rate.resetSeconds}\r\n`
}

/**
 * Returns a function that gives the Cache-Control of an answer. Failures, answers to methods other than GET and HEAD,
 * and answers that depend on the caller are never stored (RFC 9111 §5.2.2.5). Clients may store the others for the
 * freshness budget, up to an hour, and shared caches for three budgets, up to a day, unless the manifest sets other
 * values.
 */
export function compileCacheControl(surface: Surface): (status: number, method: string) => string {
  if (!isOpen(surface.access)) return () => privately
  const { seconds } = surface.freshness
  const { maxAge, sMaxAge } =
    surface.cache === undefined || surface.cache === noStore
      ? { maxAge: Math.min(seconds, 3600), sMaxAge: Math.min(3 * seconds, 86400) }
      : surface.cache
  const shared = `public, max-age=${maxAge}, s-maxage=${sMaxAge}`
  return (status, method) =>
    status >= 400 || (method !== 'GET' && method !== 'HEAD') || surface.cache === noStore ? noStore : shared
}

/**
 * Returns Deprecation (RFC 9745 §2.1, a date of RFC 9651) and Sunset (RFC 8594 §3, an HTTP date), if the surface is
 * deprecated.
 */
export const deprecationFields = ({ deprecation }: Surface): string =>
  deprecation === undefined
    ? ''
    : fields({
        Deprecation: `@${Date.parse(deprecation.date) / 1000}`,
        ...(deprecation.sunset === undefined ? {} : { Sunset: new Date(deprecation.sunset).toUTCString() })
      })

/** Returns the `Vary` value of a surface (RFC 9110 §12.5.5). */
export const varyOf = (surface: Surface): string =>
  [
    surface.formats.length > 1 ? 'Accept' : '',
    'Accept-Encoding',
    surface.languages === undefined ? '' : 'Accept-Language',
    isOpen(surface.access) ? '' : 'Authorization, Cookie'
  ]
    .filter(name => name !== '')
    .join(', ')
