import type { JsonObject } from '../../canonical/json.ts'
import type { FixedAnswer, Surface } from '../../manifest/surface.ts'
import type { PlanInput, Result, ContentSource } from '../../plan/result.ts'
import { echoing } from '../echo.ts'

export type StatusOnlyAnswer = FixedAnswer & Readonly<{ status: number; retryAfterSeconds?: number; location?: string }>

/** Fills the placeholders of a path or URL, each value as one segment. */
const filled = (location: string, params: PlanInput['params']): string =>
  location.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))

/**
 * Compiles a surface that answers with the declared status and document, and echoed parameters. The kind has no
 * capabilities, so it cannot read a body, corpora or services.
 */
export function compileStatusOnly(surface: Surface<StatusOnlyAnswer>): ContentSource {
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
