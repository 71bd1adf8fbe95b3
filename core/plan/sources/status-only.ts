import type { SurfaceOf } from '../../manifest/surface.ts'
import type { Source } from '../result.ts'

/** The declared status and document. Given nothing, it can read nothing: neither body, corpora nor services. */
export function compileStatusOnly (surface: SurfaceOf<'status-only'>): Source {
  const { status, error, document, lines, retryAfterSeconds } = surface.answer
  const result = {
    status,
    data: lines ?? document,
    ...(error === undefined ? {} : { error }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  return { when: 'pure', answer: () => result }
}
