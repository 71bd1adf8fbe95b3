import type { JsonObject } from '../../canonical/json.ts'
import type { FixedAnswer } from '../../manifest/kind.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { PlanInput, Result, Source } from '../../plan/result.ts'
import { echoing } from '../echo.ts'

export type StatusOnlyAnswer = FixedAnswer & Readonly<{ status: number; retryAfterSeconds?: number; location?: string }>

/** A path or URL with the values of its placeholders, each as one segment. */
const filled = (location: string, params: PlanInput['params']): string =>
  location.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))

/**
 * The declared status and document, with what is echoed. Given nothing, it can read nothing: neither body, corpora nor
 * services.
 */
export function compileStatusOnly(surface: Surface<StatusOnlyAnswer>): Source {
  const { status, error, data, echo, location, retryAfterSeconds } = surface.answer
  const result: Result = {
    status,
    data,
    ...(error === undefined ? {} : { error }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  if (location !== undefined) {
    const isSame = surface.route.placeholders.length === 0
    return {
      when: 'pure',
      ignoresInput: isSame,
      answer: ({ params }) => ({ ...result, headers: { ...result.headers, Location: filled(location, params) } })
    }
  }
  return echo === undefined
    ? { when: 'pure', ignoresInput: true, answer: () => result }
    : echoing(result, data as JsonObject, echo)
}
