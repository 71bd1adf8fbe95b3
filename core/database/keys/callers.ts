import type { Caller, Callers } from '../../access/access.ts'
import type { Database } from '../database.ts'
import { KeyStore } from './store.ts'
import { requestsTable } from './tables.ts'
import { CallerLimits, RequestWindows } from './windows.ts'

/** Seconds of the window in which the requests of a key are counted. */
const windowSeconds = 60
/** Of a key of tests: how long it holds, and its limit, which no test reaches. */
const testHours = 1
const testRequests = 1_000_000

/**
 * Identifies callers by the keys of a KeyStore, and counts their requests: `requestsPerMinute`, unless a key has a
 * limit of its own. A caller with a session is of another root.
 */
export function keyCallers(database: Database, requestsPerMinute: number): Callers {
  const keys = new KeyStore(database)
  const limits = new CallerLimits(new RequestWindows(database, requestsTable))
  // The limits of each caller, whose object is created for one request.
  const limitOf = new WeakMap<Caller, number>()
  return {
    async find(presented) {
      if ('session' in presented) return undefined
      const found = await keys.find(presented.key)
      if (found === undefined) return undefined
      const caller = { credential: 'bearer', id: found.id, grants: found.scopes } as const
      limitOf.set(caller, found.requests_per_minute ?? requestsPerMinute)
      return caller
    },
    async count(caller) {
      const most = limitOf.get(caller) ?? requestsPerMinute
      return await limits.count([[`key:${caller.id ?? ''}`, { most, seconds: windowSeconds }]])
    },
    async keyForTests({ credential, grants }) {
      if (credential !== 'bearer') return undefined
      const { key } = await keys.issue({
        name: 'Examples that tests ask',
        scopes: grants,
        requestsPerMinute: testRequests,
        expiresAt: new Date(Date.now() + testHours * 3_600_000)
      })
      return key
    }
  }
}
