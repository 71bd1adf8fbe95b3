import { isOpen } from '../../access/index.ts'
import type { JsonObject } from '../../canonical/json.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Method } from '../../vocabulary/words.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** All documented response headers by name, without those that any HTTP response has. */
const described: Readonly<Record<string, Readonly<{ description: string; schema: JsonObject }>>> = {
  'X-Request-Id': { description: 'Identifier of this answer; name it when you report a problem.', schema: text },
  'X-Spec-Version': { description: 'Version of the contract that made the answer.', schema: text },
  'X-Content-License': { description: 'License tier of the answer.', schema: text },
  'Cache-Control': { description: 'How long the answer may be kept (RFC 9111 §5.2).', schema: text },
  ETag: { description: 'Entity tag of the content; send it back in `If-None-Match` (RFC 9110 §8.8.3).', schema: text },
  Link: { description: 'Where to go from here, by relation (RFC 8288).', schema: text },
  'RateLimit-Limit': { description: 'Requests of one window.', schema: count },
  'RateLimit-Remaining': { description: 'Requests that are left in this window.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the next window.', schema: count },
  'RateLimit-Policy': { description: 'Requests and seconds of a window: `60;w=60`.', schema: text },
  'Retry-After': { description: 'Seconds until it is worth asking again (RFC 9110 §10.2.3).', schema: count },
  'Content-Language': { description: 'Languages of the content in this answer.', schema: text },
  Location: { description: 'Where the answer is.', schema: { type: 'string', format: 'uri-reference' } },
  Deprecation: {
    description: 'Since when the surface should no longer be used: `@` and seconds since 1970 (RFC 9745).',
    schema: text
  },
  Sunset: { description: 'When the surface ends: a date of HTTP (RFC 8594).', schema: text }
}

const keyOf = (name: string): string => name.replaceAll('-', '')
const listed = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${keyOf(name)}` }]))

/** The header components, by name without hyphens. */
export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(described).map(([name, header]) => [keyOf(name), header])
)

const always = [
  'X-Request-Id',
  'X-Spec-Version',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy'
]

/** Headers of a 304 response. */
export const notModifiedHeaders: JsonObject = listed([...always, 'ETag'])

/** Returns the headers of an error, in the envelope or not; 429 and 503 also have `Retry-After`. */
export const failureHeaders = (status: number, isEnveloped: boolean): JsonObject =>
  listed([...always, ...(isEnveloped ? ['Link'] : []), ...(status === 503 || status === 429 ? ['Retry-After'] : [])])

/** Whether clients and caches may store the answer and revalidate it. */
export const isCached = (surface: Surface, method: Method): boolean =>
  method === 'GET' && isOpen(surface.access) && surface.cache !== 'no-store' && surface.status < 300

/**
 * Returns the headers of the declared answer. `hasPage`: whether a page shows the surface, which `Link` then points to.
 */
export const answerHeaders = (surface: Surface, method: Method, hasPage: boolean): JsonObject =>
  listed([
    ...always,
    'X-Content-License',
    ...(isCached(surface, method) ? ['ETag'] : []),
    ...(surface.contract === 'envelope' || surface.deprecation !== undefined || hasPage ? ['Link'] : []),
    ...(surface.status === 503 ? ['Retry-After'] : []),
    ...(surface.languages === undefined ? [] : ['Content-Language']),
    ...(surface.status >= 300 && surface.status < 400 ? ['Location'] : []),
    ...(surface.deprecation === undefined ? [] : ['Deprecation']),
    ...(surface.deprecation?.sunset === undefined ? [] : ['Sunset'])
  ])
