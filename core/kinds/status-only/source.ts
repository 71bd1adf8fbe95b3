import type { JsonObject } from '../../canonical/json.ts'
import type { FixedAnswer } from '../../manifest/kind.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Result, Source } from '../../plan/result.ts'
import { echoing } from '../echo.ts'

export type StatusOnlyAnswer = FixedAnswer & Readonly<{ status: number, retryAfterSeconds?: number }>

/** The declared status and document, with what is echoed. Given nothing, it can read nothing: neither body, corpora nor services. */
export function compileStatusOnly (surface: Surface<StatusOnlyAnswer>): Source {
  const { status, error, data, lines, echo, retryAfterSeconds } = surface.answer
  const result: Result = {
    status,
    data: lines ?? data,
    ...(error === undefined ? {} : { error }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  return echo === undefined ? { when: 'pure', ignoresInput: true, answer: () => result } : echoing(result, data as JsonObject, echo)
}
