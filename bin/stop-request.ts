import { once } from 'node:events'
import type { Io } from './io.ts'

/**
 * Milliseconds in which a second SIGINT is ignored: npm forwards the one that the terminal has sent to all processes.
 */
const sameMs = 500

/** Aborts on the first SIGINT or SIGTERM; a later one ends the process as usual. */
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

/** Waits for work, but rejects at once if a stop is requested; the work then fails when its resources are closed. */
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
 * Aborts on the first uncaught exception, which is its reason. The state of the process is unknown then, so a service
 * finishes open requests and exits. A second one ends the process at once, as usual.
 */
export function lastFault(signals: Io['signals']): AbortSignal {
  const ended = new AbortController()
  // An unhandled rejection arrives here too.
  signals.once('uncaughtException', (error: unknown) => {
    ended.abort(error)
  })
  return ended.signal
}
