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
   * Sees each request before a surface does. It may set header fields, or answer itself; true where that answer ends
   * later. What it throws is answered: a SurfaceError as what it says, anything else with 500.
   */
  before?: (req: IncomingMessage, res: ServerResponse) => boolean | undefined
  /** Hears of each answer after it, also of one by `before`. What it throws is logged; a promise is not waited for. */
  after?: (answered: AnsweredRequest) => unknown
}>

const names = ['before', 'after']

/** What is wrong with the default export of `hooks`, where something is. */
export function hooksProblem(exported: unknown): string | undefined {
  const asked = 'The default export must have `before`, `after`, or both, and these must be functions'
  if (typeof exported !== 'object' || exported === null) return `${asked}.`
  const wrong = Object.entries(exported).find(([name, hook]) => !names.includes(name) || typeof hook !== 'function')
  return wrong === undefined ? undefined : `${asked}: it has \`${wrong[0]}\`.`
}

/** Watches a promise that a hook returned, for which nobody waits: `failed` gets its error. */
const watched = (result: unknown, failed: (error: unknown) => void): boolean => {
  if (!(result instanceof Promise)) return false
  result.catch(failed)
  return true
}

/** The hooks of several roots, in the order of the roots: each `before` until one answers, and each `after`. */
export function joinHooks(
  hooks: readonly Hooks[],
  onFault: (error: unknown, requestId: string) => void
): Readonly<{ before: Hooks['before']; observers: readonly Observer[] }> {
  const all = hooks.flatMap(({ before }) => (before === undefined ? [] : [before]))
  return {
    before:
      all.length === 0
        ? undefined
        : (req, res) =>
            all.some(before => {
              const result = before(req, res)
              const isAsync = watched(result, error => {
                onFault(error, '')
              })
              if (isAsync) throw new TypeError('The hook `before` is async, and no answer waits for it.')
              if (result === true) return true
              // What was begun and does not end later ends now.
              if (res.headersSent && !res.writableEnded) res.end()
              return res.headersSent
            }),
    observers: hooks.flatMap(({ after }) =>
      after === undefined
        ? []
        : [
            ({ request: { requestId, method, path }, surface, status, startedAt }) => {
              const failed = (error: unknown): void => {
                onFault(error, requestId)
              }
              try {
                const ms = performance.now() - startedAt
                watched(after({ requestId, method, path, surface: surface?.id, status, ms }), failed)
              } catch (error) {
                failed(error)
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
