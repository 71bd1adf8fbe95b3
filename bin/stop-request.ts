import { once } from 'node:events'
import type { Io } from './output/io.ts'

/** Milliseconds in which a second SIGINT is the same request: npm passes on what the terminal has sent to all. */
const sameMs = 500

/** Aborts with the first request to stop; another one then has its usual effect. */
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

/** Work of a start. Whoever asks to stop does not wait for it: it fails when what it works with is closed. */
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
