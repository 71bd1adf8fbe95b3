import type { Io } from './output/io.ts'

/**
 * Returns a signal that aborts on the first uncaught exception of the process, with the error as its reason. The state
 * of the process is unknown then, so a service finishes open requests and exits. A second uncaught exception ends the
 * process at once, as usual.
 */
export function lastFault(signals: Io['signals']): AbortSignal {
  const ended = new AbortController()
  // An unhandled promise rejection arrives here as well.
  signals.once('uncaughtException', (error: unknown) => {
    ended.abort(error)
  })
  return ended.signal
}
