import { once } from 'node:events'
import type { Io } from './output/io.ts'

/** Aborts with the first request to stop; a second one then has its usual effect. */
export function stopRequest(signals: Io['signals']): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'])
    once(signals, name, { signal: stop.signal }).then(
      () => {
        stop.abort()
      },
      () => undefined
    )
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
