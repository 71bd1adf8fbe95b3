import { unavailable, type SurfaceError } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import type { ContentSource, PlanInput } from './kind.ts'
import type { PlanRequest } from './request.ts'

/** Seconds in which an answer must be there, if its manifest declares no `deadline`. */
export const defaultDeadline = 30

/** The log's sentence for an answer that did not come in time. It names the surface, and nothing of the request. */
class LateAnswer extends Error {
  constructor({ id, route }: Surface, method: string, seconds: number) {
    super(`\`${id}\` (${method} ${route.path}) gave no answer within ${seconds} s.`)
    this.name = 'LateAnswer'
    // The stack would be that of a timer.
    delete this.stack
  }
}

/** The 503 for an answer that did not come in time (RFC 9110 §15.6.4). */
export const late = (seconds: number): SurfaceError =>
  unavailable(`The answer took longer than ${seconds} s.`, 1, { subsystem: 'process', deadline_seconds: seconds })

/** Returns the value of `work`, or rejects as `onLate` says when `seconds` have passed without it. */
async function inTime<T>(work: Promise<T>, seconds: number, onLate: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(onLate())
    }, seconds * 1000).unref()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Bounds how long a request waits for `work`; what is late is reported with `onFault`. */
export type Bound = <T>(work: T | Promise<T>, request: PlanRequest) => T | Promise<T>

/**
 * Returns the function that bounds how long requests to a surface wait. After the deadline of the surface a request is
 * answered with 503, and its `signal` is aborted.
 */
export function compileDeadline(surface: Surface, onFault: (error: unknown, requestId: string) => void): Bound {
  const seconds = surface.deadline ?? defaultDeadline
  return (work, request) =>
    work instanceof Promise
      ? inTime(work, seconds, () => {
          const error = late(seconds)
          onFault(new LateAnswer(surface, request.method, seconds), request.requestId)
          request.waiting.end(error)
          return error
        })
      : work
}

/** Returns a live source whose answers are bounded. A slow source is shared by requests, so each of them is bounded. */
export function withDeadline(source: ContentSource<PlanRequest>, bound: Bound): ContentSource<PlanRequest> {
  if (source.when !== 'live') return source
  const { answer } = source
  return { ...source, answer: (input: PlanInput, request: PlanRequest) => bound(answer(input, request), request) }
}
