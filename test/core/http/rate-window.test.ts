import { Socket } from 'node:net'
import t from 'tap'
import { createRateWindow } from '../../../core/http/arrival.ts'

const policy = { limit: 3, window_seconds: 60 }
const noon = Date.parse('2026-11-22T12:00:00Z')

t.test('requests of a caller count down to the end of the window, and never below none', t => {
  const rate = createRateWindow()
  const socket = new Socket()
  t.match(
    [0, 1, 2, 3].map(second => rate(socket, noon + second * 1000, policy)),
    [
      { remaining: 2, resetSeconds: 60 },
      { remaining: 1, resetSeconds: 59 },
      { remaining: 0, resetSeconds: 58 },
      { remaining: 0, resetSeconds: 57 }
    ]
  )
  t.match(rate(socket, noon + 60_000, policy), { remaining: 2, resetSeconds: 60 })
  t.end()
})

t.test('a look counts nothing, and what is over the limit is told', t => {
  const rate = createRateWindow()
  const socket = new Socket()
  for (const remaining of [2, 1, 0]) t.match(rate(socket, noon, policy), { isAllowed: true, remaining })
  t.match(rate(socket, noon, policy, undefined, false), { isAllowed: true, remaining: 0 })
  t.match(rate(socket, noon, policy), { isAllowed: false, remaining: 0 })
  t.end()
})

t.test('of too many clients the oldest is forgotten', t => {
  const rate = createRateWindow(2)
  const socket = new Socket()
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) rate(socket, noon, policy, client)
  t.match(rate(socket, noon, policy, '192.0.2.3'), { remaining: 1 })
  t.match(rate(socket, noon, policy, '192.0.2.1'), { remaining: 2 })
  t.end()
})

t.test('a window is no longer than it says, wherever the clock goes', t => {
  const rate = createRateWindow()
  const socket = new Socket()
  for (const at of [noon, noon + 10 * 365 * 86_400_000, noon + 5_000, 0, noon]) {
    const { remaining, resetSeconds } = rate(socket, at, policy)
    t.ok(resetSeconds > 0 && resetSeconds <= policy.window_seconds, `${resetSeconds} s`)
    t.equal(remaining, 2, 'counted anew')
  }
  t.end()
})
