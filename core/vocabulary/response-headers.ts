type Schema = Readonly<Record<string, string | number>>

const count = { type: 'integer', minimum: 0 }

/** The documented response headers by name. Those that any HTTP response has, such as Content-Type, are left out. */
export const responseHeaders: Readonly<Record<string, readonly [description: string, schema?: Schema]>> = {
  'X-Request-Id': ['Identifier of this answer; name it when you report a problem.'],
  'X-Spec-Version': ['Version of the contract that made the answer.'],
  'X-Content-License': ['License tier of the answer.'],
  'X-Ignored-Parameters': ['Names of query parameters that the surface does not declare and has not read.'],
  'Cache-Control': ['How long the answer may be kept (RFC 9111 §5.2).'],
  ETag: ['Entity tag of the content; send it back in `If-None-Match` (RFC 9110 §8.8.3).'],
  Link: ['Where to go from here, by relation (RFC 8288).'],
  'RateLimit-Limit': ['Requests of one window.', count],
  'RateLimit-Remaining': ['Requests that are left in this window.', count],
  'RateLimit-Reset': ['Seconds until the next window.', count],
  'RateLimit-Policy': ['Requests and seconds of a window: `60;w=60`.'],
  'Retry-After': ['Seconds until it is worth asking again (RFC 9110 §10.2.3).', count],
  'Content-Language': ['Languages of the content in this answer.'],
  'Idempotent-Replayed': ['`true` where the answer is that of an earlier request with the same `Idempotency-Key`.'],
  Location: ['Where the answer is.', { type: 'string', format: 'uri-reference' }],
  Deprecation: ['Since when the surface should no longer be used: `@` and seconds since 1970 (RFC 9745).'],
  Sunset: ['When the surface ends: a date of HTTP (RFC 8594).']
}

/** Other headers that the framework sets for those who read an answer. */
const others = ['Allow', 'Content-Disposition', 'WWW-Authenticate']

/** Headers that scripts of other origins may read in any case (Fetch §2.2.2, CORS-safelisted response-header name). */
const readAnyway = new Set(['Cache-Control', 'Content-Language'])

/** Headers that scripts of other origins may read (Access-Control-Expose-Headers, Fetch §3.2.3). */
export const exposedHeaders: string = [...Object.keys(responseHeaders), ...others]
  .filter(name => !readAnyway.has(name))
  .sort()
  .join(', ')
