import t from 'tap'
import { benchDigests, staleRecord } from '../../../bin/release/bench-record.ts'

t.test('a recorded run is one of this bench and this code, or a release is refused, with the reason', t => {
  const now = benchDigests()
  t.match(now, { bench: /^[0-9a-f]{64}$/, code: /^[0-9a-f]{64}$/ })
  t.equal(staleRecord(now), undefined)
  t.match(staleRecord({ ...now, bench: now.code }), 'another bench')
  t.match(staleRecord({ ...now, code: now.bench }), 'core/http')
  t.match(staleRecord({}), 'npm run bench -- --record', 'also one from before records named them')
  t.end()
})
