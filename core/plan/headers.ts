import { isOpen } from '../access/index.ts'
import { formatModules } from '../format/index.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Service } from '../manifest/service.ts'
import type { PlanRequest } from './request.ts'

/** Request headers a browser may send across origins, and answer headers its scripts may read (Fetch §3.2). */
export const allowedHeaders = 'Accept, Accept-Language, Authorization, Content-Type, If-None-Match'
const exposedHeaders = 'ETag, Link, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Content-License, X-Request-Id, X-Spec-Version'

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
    'Access-Control-Allow-Origin', '*',
    'Access-Control-Expose-Headers', exposedHeaders,
    'X-Content-Type-Options', 'nosniff',
    'Content-Security-Policy', policies.get(mediaType ?? '') ?? noContent,
    'Referrer-Policy', 'no-referrer',
    'Cross-Origin-Resource-Policy', 'cross-origin',
    ...(service.base_url.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [])
  ]
}

/** Headers that differ at each request. */
export const stamps = (request: PlanRequest): string[] =>
  ['X-Request-Id', request.requestId, 'RateLimit-Remaining', String(request.rate.remaining), 'RateLimit-Reset', String(request.rate.resetSeconds)]

export const noStore = 'no-store'

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
