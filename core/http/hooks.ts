import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Surface } from '../manifest/surface.ts'
import type { UnroutedRequest } from '../plan/generation.ts'

/**
 * Called for every answer, after it was handed to Node or Koa. `startedAt`: when the request arrived, as
 * `performance.now()`.
 */
export type Observer = (
  event: Readonly<{ request: UnroutedRequest; surface: Surface | undefined; status: number; startedAt: number }>
) => void

/** The facts of an answer after it was handed over for sending. `surface`: the id of the surface, if one matched. */
export type AnsweredRequest = Readonly<{
  requestId: string
  method: string
  path: string
  surface: string | undefined
  status: number
  /** Milliseconds since the request arrived. */
  ms: number
}>

/**
 * Synchronous functions that a root runs before and after every answer: the default export of `hooks` in `surfaces/`.
 */
export type Hooks = Readonly<{
  /**
   * Called before any surface. It may set headers, or answer itself; it returns true if it ends its answer later. If
   * nothing is received or sent for 30 seconds, the answer is a 503, or is cut where it was begun. A
   * SurfaceError that it throws is the answer; any other error gives a 500.
   */
  before?: (req: IncomingMessage, res: ServerResponse) => boolean | undefined
  /**
   * Called after each answer, also after one by `before`, but not after a refusal of a request that Node does not pass
   * on, such as a malformed one. If it throws or its promise rejects, that is logged; the promise is not awaited.
   */
  after?: (answered: AnsweredRequest) => unknown
}>

export function hooksProblem(exported: unknown): string | undefined {
  const asked = 'The default export must have `before`, `after`, or both, and these must be functions'
  if (typeof exported !== 'object' || exported === null) return `${asked}.`
  const wrong = Object.entries(exported).find(
    ([name, hook]) => !['before', 'after'].includes(name) || typeof hook !== 'function'
  )
  return wrong === undefined ? undefined : `${asked}: it has \`${wrong[0]}\`.`
}

/** Tells whether the result of a hook is a promise; if it rejects, `failed` is called. */
const catchRejection = (result: unknown, failed: (error: unknown) => void): boolean => {
  if (!(result instanceof Promise)) return false
  result.catch(failed)
  return true
}

/** The log's sentence for a hook that has taken a request and does not end its answer. */
export class LateHook extends Error {
  constructor(seconds: number) {
    super(`The hook \`before\` has taken a request, and nothing was received or sent for ${seconds} s.`)
    this.name = 'LateHook'
    // The stack would be that of a timer.
    delete this.stack
  }
}

/** Calls `onStill` when nothing was received or sent for `seconds`, unless the whole answer was handed over. */
export function whenStill(res: ServerResponse, seconds: number, onStill: () => void): void {
  const movedBytes = ({ socket }: ServerResponse): number => (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0)
  let moved = movedBytes(res)
  const timer = setInterval(() => {
    const before = moved
    moved = movedBytes(res)
    if (moved > before && !res.writableEnded) return
    clearInterval(timer)
    if (!res.writableEnded) onStill()
  }, seconds * 1000).unref()
  res.once('close', () => {
    clearInterval(timer)
  })
}

/** Lets what a hook still does with an answer that was ended in its place have no effect: Node would throw. */
export function letGo(res: ServerResponse): void {
  const chained = (): ServerResponse => res
  Object.assign(res, { setHeader: chained, writeHead: chained, end: chained, write: () => true })
}

/** Joins the hooks of several roots, in their order: every `before` until one answers, and every `after`. */
export function joinHooks(
  hooks: readonly Hooks[],
  onFault: (error: unknown, requestId: string) => void
): Readonly<{ before: Hooks['before']; observers: readonly Observer[] }> {
  const failedAt =
    (requestId: string) =>
    (error: unknown): void => {
      onFault(error, requestId)
    }
  const all = hooks.flatMap(({ before }) => before ?? [])
  const before: Hooks['before'] = (req, res) =>
    all.some(hook => {
      const result = hook(req, res)
      if (catchRejection(result, failedAt('')))
        throw new TypeError('The hook `before` is async, and no answer waits for it.')
      if (result === true) return true
      // As the hook does not return true, it does not end its answer later: an answer that it has begun is ended here.
      if (res.headersSent && !res.writableEnded) res.end()
      return res.headersSent
    })
  const observers = hooks.flatMap(({ after }): Observer[] => {
    if (after === undefined) return []
    return [
      ({ request: { requestId, method, path }, surface, status, startedAt }) => {
        const failed = failedAt(requestId)
        try {
          const ms = performance.now() - startedAt
          catchRejection(after({ requestId, method, path, surface: surface?.id, status, ms }), failed)
        } catch (error) {
          failed(error)
        }
      }
    ]
  })
  return { before: all.length === 0 ? undefined : before, observers }
}
