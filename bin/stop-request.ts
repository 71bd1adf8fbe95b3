import { once } from 'node:events'
import type { Io } from './io.ts'

/**
 * Milliseconds in which a second SIGINT is ignored: npm forwards the signal that the terminal has already sent to all
 * processes.
 */
const sameMs = 500

/** Returns a signal that aborts on the first SIGINT or SIGTERM; a later one ends the process as usual. */
export function stopRequest(signals: Io['signals']): AbortSignal {
  const stop = new AbortController()
  const ask = (): void => {
    stop.abort()
    signals.off('SIGTERM', ask).off('SIGINT', askAtTerminal)
  }
  const askAtTerminal = (): void => {
    ask()
    const same = (): void => undefined
    signals.on('SIGINT', same)
    setTimeout(() => {
      signals.off('SIGINT', same)
    }, sameMs).unref()
  }
  signals.on('SIGTERM', ask).on('SIGINT', askAtTerminal)
  return stop.signal
}

/**
 * Awaits work of a start, but rejects at once if a stop is requested. The work then fails when its resources are
 * closed.
 */
export async function unlessStopped<T>(work: Promise<T>, asked: AbortSignal | undefined): Promise<T> {
  if (asked === undefined) return await work
  work.catch(() => undefined)
  const stopped = asked.aborted ? Promise.resolve() : once(asked, 'abort')
  return await Promise.race([
    work,
    stopped.then(() => {
      throw new Error('Stopped while starting.')
    })
  ])
}

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
