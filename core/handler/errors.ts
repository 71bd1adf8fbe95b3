import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { suggest } from '../diagnostics/suggest.ts'
import { errorCodes, type ErrorCode } from '../vocabulary/error-codes.ts'

/** The state of a caller's rate window: `limit` requests in `windowSeconds`; the window ends in `resetSeconds`. */
export type RateState = Readonly<{ limit: number; windowSeconds: number; remaining: number; resetSeconds: number }>

/** The facts of a failure that the caller sees. */
export type FailureFacts = Readonly<{
  code: string
  status: number
  message: string
  details: JsonObject | undefined
  /** `data` of the envelope, such as the suggestions of a 404. JSON without an envelope has only the error. */
  data: JsonValue
  headers: Readonly<Record<string, string>>
  /** When the data was current (ISO 8601). Default: the time of the answer. */
  asOf?: string
  /** The state of the caller's own limit, if it is not that of the request. */
  rate?: RateState
}>

/**
 * An error code of a service, declared under `errors:` in its `service.yaml`. An undeclared code is answered with 500.
 */
export type DeclaredError = Readonly<{
  code: string
  /** @deprecated It is not read: `service.yaml` says the status of the code. Ends in 0.3.0. */
  status?: number
}>

/** A failure meant for the caller. Any other thrown value is answered with 500, without its message. */
export class SurfaceError extends Error implements Omit<FailureFacts, 'status'> {
  readonly code: string
  /** Undefined if the code was given as a DeclaredError. */
  readonly status: number | undefined
  readonly details: JsonObject | undefined
  readonly data: JsonValue
  readonly headers: Readonly<Record<string, string>>
  declare asOf?: string
  declare rate?: RateState

  constructor(
    code: ErrorCode | DeclaredError,
    message: string,
    options: { details?: JsonObject; data?: JsonValue; headers?: Record<string, string> } = {}
  ) {
    super(message)
    this.name = 'SurfaceError'
    this.code = typeof code === 'string' ? code : code.code
    this.status = typeof code === 'string' ? (errorCodes as Partial<typeof errorCodes>)[code]?.status : undefined
    this.details = options.details
    this.data = options.data ?? null
    this.headers = options.headers ?? {}
  }
}

/** 429 for a used-up rate window. The answer has the state of the window in its RateLimit fields, and Retry-After. */
export class RateLimited extends SurfaceError {
  declare rate: RateState

  constructor(
    { limit, windowSeconds, resetSeconds }: Omit<RateState, 'remaining'>,
    message = `At most ${limit} requests in ${windowSeconds} seconds.`
  ) {
    super('RATE_LIMITED', message, {
      headers: { 'Retry-After': String(resetSeconds) },
      details: { limit, window_seconds: windowSeconds }
    })
    this.rate = { limit, windowSeconds, resetSeconds, remaining: 0 }
  }
}

/** Returns a 404: the thing `what` with the name `name` does not exist. */
export const notFound = (what: string, name: string, details?: JsonObject): SurfaceError =>
  new SurfaceError('NOT_FOUND', `There is no ${what} \`${name}\` here.`, details === undefined ? {} : { details })

/** Maximum number of ids in the details of a 404. */
const maxKnownIds = 20

/**
 * Returns a 404 for a name that is none of `ids`. `details` has the first ids, the number of all, and as `did_you_mean`
 * those that differ by case only, else the nearest, if there is one.
 */
export function unknownId(what: string, name: string, ids: readonly string[]): SurfaceError {
  const lower = name.toLowerCase()
  const same = ids.filter(id => id.toLowerCase() === lower).slice(0, maxKnownIds)
  const near = same.length > 0 ? same : [suggest(name, ids) ?? []].flat()
  return notFound(what, name, {
    known_ids: ids.slice(0, maxKnownIds),
    known_count: ids.length,
    ...(near.length === 0 ? {} : { did_you_mean: near })
  })
}

/** Returns a 400: the value of `field` is outside what the surface declares. `details` has `field` and `allowed`. */
export const invalid = (field: string, message: string, allowed?: readonly JsonValue[]): SurfaceError =>
  new SurfaceError('INVALID_INPUT', message, { details: allowed === undefined ? { field } : { field, allowed } })

/** Returns a 413: the body, or one field of it, is larger than the surface accepts. */
export const bodyTooLarge = (
  limitBytes: number,
  headers: Readonly<Record<string, string>> = {},
  field?: string
): SurfaceError =>
  new SurfaceError(
    'BODY_TOO_LARGE',
    `${field === undefined ? 'The body' : `\`${field}\``} is larger than ${limitBytes} bytes.`,
    { headers, details: { ...(field === undefined ? {} : { field }), limit_bytes: limitBytes } }
  )

/** Returns a 503: a store or source cannot be read now. `retryAfterSeconds` is sent as Retry-After. */
export const unavailable = (message: string, retryAfterSeconds: number, details?: JsonObject): SurfaceError =>
  new SurfaceError('SOURCE_UNAVAILABLE', message, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    ...(details === undefined ? {} : { details })
  })
