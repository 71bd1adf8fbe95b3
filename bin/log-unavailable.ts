import { codeOf, operatorFaultOf, wordsOf } from '../core/database/errors.ts'
import type { createLog } from '../core/http/log.ts'
import type { UnavailableListener } from '../core/plan/failure.ts'

const quietMs = 60_000
const maxKnown = 1_000

/**
 * Returns a function that logs why a surface answered 503: the first of a minute for each surface and reason, with the
 * number of those that came before it and were not logged.
 */
export function logUnavailable(log: Pick<ReturnType<typeof createLog>, 'warn'>, clock = Date.now): UnavailableListener {
  const known = new Map<string, { since: number; unlogged: number }>()
  return (error, requestId, route) => {
    const fault = operatorFaultOf(error)
    const facts =
      fault === undefined
        ? { code: codeOf(error.cause), reason: wordsOf(error.cause) }
        : { code: fault.code, reason: fault.message, fix: fault.fix }
    const key = `${route} ${facts.code} ${codeOf(error.cause)}`
    const last = known.get(key)
    if (last !== undefined && clock() - last.since < quietMs) {
      last.unlogged += 1
      return
    }
    if (known.size >= maxKnown) known.clear()
    known.set(key, { since: clock(), unlogged: 0 })
    const before = last === undefined || last.unlogged === 0 ? {} : { unlogged: last.unlogged }
    log.warn({ request_id: requestId, route, ...facts, ...before }, 'a store cannot answer')
  }
}
