export type ErrorMeaning = Readonly<{ status: number; meaning: string }>

/**
 * Error codes of the framework. A code is never renamed or removed. A service declares further codes under `errors:`
 * in `service.yaml`; `/api/v1/diagnostic` lists both.
 */
export const errorCodes = {
  INVALID_INPUT: {
    status: 400,
    meaning:
      'The request is malformed, or a value is outside what the surface declares. `details` names the field and the allowed values.'
  },
  MISSING_PARAM: { status: 400, meaning: 'A required parameter is absent. `details.field` names it.' },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The surface needs a signed-in caller or a key, and none that is valid was presented.'
  },
  FORBIDDEN: {
    status: 403,
    meaning: 'The caller is known and is not allowed to use this surface, or a form came from a page of another site.'
  },
  NOT_FOUND: { status: 404, meaning: 'Nothing is served here, or the named thing is not held.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, but not with this method. `Allow` lists the methods.' },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    meaning:
      'The first request with this idempotency key is still being answered. `Retry-After` says when to ask again.'
  },
  PRECONDITION_FAILED: {
    status: 412,
    meaning:
      'The thing is not as `If-Match` or `If-None-Match` says. Nothing was done. `details.field` names the header.'
  },
  BODY_TOO_LARGE: {
    status: 413,
    meaning: 'The body is larger than the surface reads. `details.limit_bytes` is the limit.'
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The content type, charset or content encoding of the body is not accepted.'
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'An idempotency key came again with another request. Nothing was done.'
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    meaning: 'The surface changes a thing only for who says in `If-Match` or `If-None-Match` how it is.'
  },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests in the window. `Retry-After` says when to come back.' },
  INTERNAL: { status: 500, meaning: 'A fault of the service. The request id finds it in the log.' },
  SOURCE_UNAVAILABLE: {
    status: 503,
    meaning:
      'Publication is paused or blocked, a store cannot be read now, or more is asked than can be answered in time. `details` says which.'
  }
} as const satisfies Readonly<Record<string, ErrorMeaning>>

/** An error code of the framework. The codes that a service declares are not in this type. */
export type ErrorCode = keyof typeof errorCodes
