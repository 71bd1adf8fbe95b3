import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Observer } from './surface-router.ts'

/** An answer that was handed over. `surface`: the id of the surface, undefined where none claimed the request. */
export type AnsweredRequest = Readonly<{
  requestId: string
  method: string
  path: string
  surface: string | undefined
  status: number
  /** Milliseconds from its arrival. */
  ms: number
}>

/**
 * What a root does around every answer of its service: the default export of `hooks` in `surfaces/`. Both are plain
 * functions that end before the answer goes on; what has to wait for a store belongs into a surface, or into the
 * service `callers`.
 */
export type Hooks = Readonly<{
  /**
   * Sees each request before anything is answered. It may set header fields, or answer itself and return true. What it
   * throws is answered: a SurfaceError as what it says, anything else with 500.
   */
  before?: (req: IncomingMessage, res: ServerResponse) => boolean | undefined
  /** Hears of each answer after it. What it throws is logged. */
  after?: (answered: AnsweredRequest) => void
}>

/** The hooks of several roots, in the order of the roots: each `before` until one answers, and each `after`. */
export function joinHooks(
  hooks: readonly Hooks[],
  onFault: (error: unknown, requestId: string) => void
): Readonly<{ before: Hooks['before']; observers: readonly Observer[] }> {
  const all = hooks.flatMap(({ before }) => (before === undefined ? [] : [before]))
  return {
    before: all.length === 0 ? undefined : (req, res) => all.some(before => before(req, res) === true),
    observers: hooks.flatMap(({ after }) =>
      after === undefined
        ? []
        : [
            ({ request: { requestId, method, path }, surface, status, startedAt }) => {
              try {
                after({ requestId, method, path, surface: surface?.id, status, ms: performance.now() - startedAt })
              } catch (error) {
                onFault(error, requestId)
              }
            }
          ]
    )
  }
}

/** Tells several of each answer; undefined where nobody listens. */
export const observeAll = (observers: readonly Observer[]): Observer | undefined =>
  observers.length === 0
    ? undefined
    : event => {
        for (const observe of observers) observe(event)
      }
