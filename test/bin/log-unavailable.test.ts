import t from 'tap'
import { logUnavailable } from '../../bin/log-unavailable.ts'
import { toSurfaceError } from '../../core/database/errors.ts'
import { unavailable, type SurfaceError } from '../../core/handler/errors.ts'

const fault = (code: string, message: string): Error => Object.assign(new Error(message), { code })
const caused = (error: Error): SurfaceError => toSurfaceError(error) as SurfaceError

function logged(): Readonly<{
  listen: ReturnType<typeof logUnavailable>
  lines: object[]
  wait: (ms: number) => void
}> {
  const lines: object[] = []
  let now = 0
  const log = { warn: (facts: object, message: string) => lines.push({ ...facts, message }) }
  const listen = logUnavailable(log as unknown as Parameters<typeof logUnavailable>[0], () => now)
  return { listen, lines, wait: ms => (now += ms) }
}

t.test('why a store cannot answer is logged once a minute for each surface and reason', t => {
  const { listen, lines, wait } = logged()
  const slow = caused(fault('57014', 'select secret from hidden - canceling statement due to statement timeout'))
  listen(slow, 'req_1', '/api/v1/stops')
  listen(slow, 'req_2', '/api/v1/stops')
  listen(slow, 'req_3', '/api/v1/routes')
  wait(60_000)
  listen(slow, 'req_4', '/api/v1/stops')
  t.match(lines, [
    { request_id: 'req_1', route: '/api/v1/stops', code: 'O110', reason: /canceling statement/, fix: String },
    { request_id: 'req_3', route: '/api/v1/routes' },
    { request_id: 'req_4', route: '/api/v1/stops', unlogged: 1 }
  ])
  t.notMatch(JSON.stringify(lines), /secret/, 'without the statement')
  t.equal(lines.length, 3)
  t.end()
})

t.test('a cause that no fault has is logged in the words of the server', t => {
  const { listen, lines } = logged()
  const error = Object.assign(unavailable('The table of `stops` is not as it is declared.', 300), {
    cause: fault('42703', 'select `stop_desc` from `stops` - column "stop_desc" does not exist')
  })
  listen(error, 'req_1', '/api/v1/stops')
  t.match(lines, [{ code: '42703', reason: 'column "stop_desc" does not exist' }])
  t.end()
})
