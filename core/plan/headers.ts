import { isOpen } from '../access/index.ts'
import { formatModules } from '../format/index.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Service } from '../manifest/service.ts'
import type { PlanRequest } from './request.ts'

/** Answer headers that scripts of other origins may read (Fetch §3.2.4). */
const exposedHeaders = 'Content-Language, Deprecation, ETag, Link, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, X-Content-License, X-Request-Id, X-Spec-Version'

/** Content-Security-Policy by media type, of the formats that state one. */
const policies = new Map(Object.values(formatModules).flatMap(({ mediaType, policy }) => policy === undefined ? [] : [[mediaType, policy]]))
const noContent = "default-src 'none'; frame-ancestors 'none'"

/** Headers that every answer of a service carries, by media type; without one where there is no content. */
export function commonHeaders (service: Service, mediaType?: string): readonly string[] {
  const { limit, window_seconds: window } = service.rate_policy
  return [
    ...(mediaType === undefined ? [] : ['Content-Type', mediaType]),
    'X-Spec-Version', service.spec_version,
    'RateLimit-Limit', String(limit),
    'RateLimit-Policy', `${limit};w=${window}`,
    'Accept-Ranges', 'none',
    'Access-Control-Allow-Origin', '*',
    'Access-Control-Expose-Headers', exposedHeaders,
    'X-Content-Type-Options', 'nosniff',
    'Content-Security-Policy', policies.get(mediaType ?? '') ?? noContent,
    'Referrer-Policy', 'no-referrer',
    'Cross-Origin-Resource-Policy', 'cross-origin',
    ...(service.base_url.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [])
  ]
}

export const noStore = 'no-store'

/** What a gateway adds to a request that it forwards (RFC 9110 §7.6.3, RFC 7239, and what many send instead). */
const isForwarded = ({ headers }: PlanRequest): boolean => headers['via'] !== undefined || headers['forwarded'] !== undefined || headers['x-forwarded-for'] !== undefined

/**
 * Cache-Control, and the headers that belong to one request. A gateway may give what it stores to anyone, so an answer that may be shared has none
 * of them when a gateway asks for it. Asked directly, it has them and names them: a cache that is not known of stores it without them, or not at
 * all (RFC 9111 §5.2.2.4).
 */
export function stamps (request: PlanRequest, control = noStore): string[] {
  const isShared = control.startsWith('public')
  if (isShared && isForwarded(request)) return ['Cache-Control', control]
  return [
    'Cache-Control', isShared ? `${control}, no-cache="RateLimit-Remaining, RateLimit-Reset, X-Request-Id"` : control,
    'X-Request-Id', request.requestId, 'RateLimit-Remaining', String(request.rate.remaining), 'RateLimit-Reset', String(request.rate.resetSeconds)
  ]
}

/**
 * Cache-Control of a surface. A failure, an answer to anything but GET, and an answer that depends on the caller are never
 * stored (RFC 9111 §5.2.2.5); the others may be kept by clients for the freshness budget up to an hour, by shared caches for
 * three budgets up to a day, unless the manifest says otherwise.
 */
export function cacheControl (surface: Surface, status: number, method: string): string {
  if (status >= 400 || (method !== 'GET' && method !== 'HEAD') || !isOpen(surface.access) || surface.cache === noStore) return noStore
  const { seconds } = surface.freshness
  const { maxAge, sMaxAge } = surface.cache ?? { maxAge: Math.min(seconds, 3600), sMaxAge: Math.min(3 * seconds, 86400) }
  return `public, max-age=${maxAge}, s-maxage=${sMaxAge}`
}

/** Since when a surface should no longer be used (RFC 9745 §2.1, a date of RFC 9651) and when it ends (RFC 8594 §3, a date of HTTP). */
export const deprecationHeaders = ({ deprecation }: Surface): string[] => deprecation === undefined ? [] : [
  'Deprecation', `@${Date.parse(deprecation.date) / 1000}`,
  ...(deprecation.sunset === undefined ? [] : ['Sunset', new Date(deprecation.sunset).toUTCString()])
]

/** Vary of a surface (RFC 9110 §12.5.5). */
export const varyOf = (surface: Surface): string =>
  [surface.formats.length > 1 ? 'Accept' : '', 'Accept-Encoding', surface.languages === undefined ? '' : 'Accept-Language', isOpen(surface.access) ? '' : 'Authorization, Cookie'].filter(name => name !== '').join(', ')
