import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import type { Reply, SurfaceRequest } from '../../../../core/handler/handler.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { time } from '../../../../surfaces/handlers/meta.ts'
import { requestOf } from '../../cards/ask.ts'

const ask = (query: object = {}, headers: SurfaceRequest['headers'] = {}): Reply =>
  time.handle(requestOf({ query, headers }), {} as Services) as Reply

t.test('the clock is told three ways and is not cached', t => {
  const { data, headers } = ask()
  t.match(data, {
    server_time: {
      iso: '2026-11-20T12:00:00.000Z',
      unix_seconds: 1795176000,
      unix_milliseconds: 1795176000000,
      time_zone: 'UTC'
    },
    skew: null
  })
  t.same(headers, { 'Cache-Control': 'no-store' })
  t.same(compileSchema(time.reply)(data), [])
  t.end()
})

t.test('a caller learns how far its clock is off', t => {
  for (const [given, difference] of [
    ['2026-11-20T11:59:58.500Z', 1500],
    ['2026-11-20T13:00:00+01:00', 0],
    ['2026-11-20T12:00Z', 0],
    ['1795176001000', -1000]
  ] as const) {
    const { data } = ask({ my_time: given })
    t.match(data, { skew: { source: 'my_time', server_minus_caller_ms: difference } }, given)
    t.same(compileSchema(time.reply)(data), [])
  }
  t.match(ask({ my_time: '2026-11-20T11:59:58.500Z' }).data, { skew: { interpretation: /1\.5 s behind/ } })
  t.match(ask({ my_time: '1795176001000' }).data, { skew: { interpretation: /1 s ahead/ } })
  t.end()
})

t.test('a Date header is read when `my_time` is absent, and ignored when it is no date', t => {
  const headers = { date: 'Fri, 20 Nov 2026 11:59:50 GMT' }
  t.match(ask({}, headers).data, { skew: { source: 'date_header', server_minus_caller_ms: 10000 } })
  t.match(ask({ my_time: '1795176000000' }, headers).data, { skew: { source: 'my_time' } })
  t.match(ask({}, { date: 'soon' }).data, { skew: null })
  t.end()
})

t.test('a clock that cannot be read is refused by name', t => {
  for (const given of [
    'noon',
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-13-40T00:00:00Z',
    '-1',
    '1e9',
    '9999999999999999',
    '999999999999999',
    ' '
  ]) {
    t.throws(() => ask({ my_time: given }), SurfaceError, given)
  }
  t.end()
})
