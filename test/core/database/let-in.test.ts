import t from 'tap'
import { commandLimits, connectWithRetry, canRetryConnect, servingLimits } from '../../../core/database/connection.ts'

const fault = (code: string, more = {}): Error => Object.assign(new Error(code), { code, ...more })
const full = fault('53300', { severity: 'FATAL' })

t.test('who is patient asks again while a server has no room, and of nothing else', t => {
  const now = performance.now()
  for (const error of [full, fault('57P03', { severity: 'FATAL' }), fault('EAGAIN')]) {
    t.equal(canRetryConnect(commandLimits, error, now), true, error.message)
    t.equal(canRetryConnect(servingLimits, error, now), false, error.message)
    t.equal(canRetryConnect(commandLimits, error, now - commandLimits.connect), false, `${error.message} for too long`)
  }
  for (const error of [
    fault('ECONNREFUSED'),
    fault('28P01', { severity: 'FATAL' }),
    fault('3D000', { severity: 'FATAL' })
  ])
    t.equal(canRetryConnect(commandLimits, error, now), false, error.message)
  t.end()
})

t.test('an attempt that succeeds ends the waiting, and so does the end of the pool', async t => {
  let attempts = 0
  const third = (): Promise<string> => {
    attempts += 1
    return attempts < 3 ? Promise.reject(full) : Promise.resolve('in')
  }
  t.equal(await connectWithRetry(commandLimits, third), 'in')
  t.equal(attempts, 3)
  attempts = 0
  await t.rejects(
    connectWithRetry(commandLimits, third, () => attempts === 2),
    { code: '53300' }
  )
  t.equal(attempts, 2)
})
