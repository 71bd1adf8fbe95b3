import { once } from 'node:events'
import type { Io } from './output/io.ts'

/** Aborts with the first request to stop; a second one then has its usual effect. */
export function stopRequest (signals: Io['signals']): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT']) once(signals, name, { signal: stop.signal }).then(() => { stop.abort() }, () => undefined)
  return stop.signal
}
