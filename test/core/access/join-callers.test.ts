import t from 'tap'
import type { Callers } from '../../../core/access/access.ts'
import { joinCallers } from '../../../core/access/join-callers.ts'

/** Knows one way of presenting oneself, and one secret. */
const knowing = (way: 'session' | 'key', secret: string, limit: number): Callers => ({
  find: presented =>
    Promise.resolve(
      way in presented && Object.values(presented).includes(secret)
        ? { credential: way === 'key' ? 'bearer' : 'session', id: secret, grants: [] }
        : undefined
    ),
  count: () => Promise.resolve({ isAllowed: true, limit, windowSeconds: 60, remaining: limit - 1, resetSeconds: 60 })
})

t.test('a caller is whom one of the roots finds, and that root counts', async t => {
  const now = new Date()
  const joined = joinCallers([knowing('key', 'a', 10), knowing('session', 'a', 20), knowing('key', 'b', 30)])
  for (const [presented, credential, limit] of [
    [{ key: 'a' }, 'bearer', 10],
    [{ session: 'a' }, 'session', 20],
    [{ key: 'b' }, 'bearer', 30]
  ] as const) {
    const caller = await joined.find(presented, now)
    t.match(caller, { credential })
    if (caller !== undefined) t.match(await joined.count(caller, now), { limit })
  }
  t.equal(await joined.find({ session: 'b' }, now), undefined)
  await t.rejects(joined.count({ credential: 'bearer', grants: [] }, now), /nobody has found/)
})
