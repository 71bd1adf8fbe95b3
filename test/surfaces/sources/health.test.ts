import t from 'tap'
import { healthOf } from '../../../surfaces/sources/meta.ts'
import { lantern } from '../import/lantern.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const source = { ...lantern, freshness_budget_seconds: 3600 }
const stateAt = (moment: string) => healthOf(source, moment, now).state

t.test('health follows from the age of the last succeeded import, at both sides of each bound', t => {
  t.equal(stateAt('2026-11-20T12:00:00.000Z'), 'fresh')
  t.equal(stateAt('2026-11-20T11:00:00.000Z'), 'fresh')
  t.equal(stateAt('2026-11-20T10:59:59.999Z'), 'stale')
  t.equal(stateAt('2026-11-20T09:00:00.000Z'), 'stale')
  t.equal(stateAt('2026-11-20T08:59:59.999Z'), 'very_stale')
  t.equal(stateAt('2026-11-20T12:00:01.000Z'), 'fresh', 'a clock that is a little behind')
  t.end()
})

t.test('what never ran says why', t => {
  t.match(healthOf(source, null, now), { state: 'never_run', reason: /^No import of the source has succeeded here\.$/ })
  t.match(healthOf({ ...source, conditions: [{ asks: 'Please write first.' }] }, null, now), {
    state: 'never_run',
    reason: /Please write first\./
  })
  t.match(healthOf({ ...source, conditions: [{ asks: 'Please write first.', met: 'Yes.' }] }, null, now), {
    reason: /here\.$/
  })
  t.match(healthOf({ ...source, access: 'blocked', access_reason: 'Closed by its terms.' }, null, now), {
    state: 'never_run',
    reason: /`blocked`. Closed by its terms\./
  })
  t.match(healthOf(source, undefined, now), { state: 'unknown' })
  t.end()
})
