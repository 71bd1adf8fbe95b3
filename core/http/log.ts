import { pino, type Logger } from 'pino'
import type { Observer } from './surface-router.ts'

/** JSON lines on stderr: results go to stdout. It never receives a body, a query, a credential or an address. */
export const createLog = (level: string): Logger =>
  pino({ level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"`, formatters: { level: label => ({ level: label }) } }, pino.destination({ fd: 2, sync: true }))

/**
 * Access log: failures of the service as errors, every other answer at debug. A request is named by the pattern of its route and
 * its request id, the caller by a hash that changes each day, so days cannot be joined.
 */
export function accessLog (log: Logger): Observer | undefined {
  if (!log.isLevelEnabled('error')) return undefined
  const all = log.isLevelEnabled('debug')
  return ({ request, surface, status, startedAt }) => {
    if (!all && status < 500) return
    const line = {
      request_id: request.requestId,
      method: request.method,
      route: surface?.route.path ?? 'unclaimed',
      status,
      duration_ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
      caller: request.callerHash()
    }
    if (status >= 500 && status !== 503) log.error(line, 'request failed')
    else log.debug(line, 'request')
  }
}
