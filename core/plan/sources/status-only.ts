import type { JsonObject } from '../../canonical/json.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import type { Result, Source } from '../result.ts'
import { echoing } from './echo.ts'

/** The declared status and document, with what is echoed. Given nothing, it can read nothing: neither body, corpora nor services. */
export function compileStatusOnly (surface: SurfaceOf<'status-only'>): Source {
  const { status, error, document, lines, echo, retryAfterSeconds } = surface.answer
  const result: Result = {
    status,
    data: lines ?? document,
    ...(error === undefined ? {} : { error }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  return echo === undefined ? { when: 'pure', answer: () => result } : echoing(result, document as JsonObject, echo)
}
