import { SurfaceError, unavailable, type JsonObject, type JsonValue } from 'pantry/data'
import type { ProseAnswer } from './prose.ts'
import { readPage } from './read-page.ts'

/**
 * Throws an error for a response that is a failure. A status document (paused, a teapot) is no failure, but content to
 * read.
 */
export function refuseFailure({ status, mediaType, body }: ProseAnswer, path: string): void {
  // The last line of an error page is the reason.
  if (mediaType === 'text/html' && (status === 400 || status === 404)) {
    throw new SurfaceError(status === 404 ? 'NOT_FOUND' : 'INVALID_INPUT', readPage(body).split('\n').at(-1) ?? '', {
      details: { asked: path }
    })
  }
  if (status < 400 || mediaType !== 'application/json') return
  const { data = null, error } = JSON.parse(body) as {
    data?: JsonValue
    error?: { code: string; message: string; details?: JsonObject }
  }
  if (error === undefined || (data !== null && status !== 404 && status !== 400)) return
  const details = { ...error.details, asked: path }
  throw error.code === 'SOURCE_UNAVAILABLE'
    ? unavailable(error.message, 60, details)
    : new SurfaceError({ code: error.code }, error.message, { details })
}
