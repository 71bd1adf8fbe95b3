import type { Io } from './output/io.ts'

/**
 * Aborts with the first fault of the process that nothing caught, which is its reason: the state of the process is
 * unknown then, so a service answers what it has begun and ends. A second one has its usual effect, and ends the
 * process at once.
 */
export function lastFault(signals: Io['signals']): AbortSignal {
  const ended = new AbortController()
  // A promise that nobody waits for comes this way as well.
  signals.once('uncaughtException', (error: unknown) => {
    ended.abort(error)
  })
  return ended.signal
}
