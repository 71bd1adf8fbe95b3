import t from 'tap'
import { UsageError } from '../../bin/config.ts'
import { exitStatusOf, FindingsError } from '../../bin/io.ts'
import { unavailable } from '../../core/handler/errors.ts'

t.test('findings end with 1, wrong usage with 2', t => {
  t.strictSame(exitStatusOf(new FindingsError('Look above.')), { code: 1, text: 'Look above.' })
  t.strictSame(exitStatusOf(new UsageError('There is no root `x`.')), { code: 2, text: 'error: There is no root `x`.' })
  t.end()
})

t.test('trouble of the environment ends with 3 and says what to do', t => {
  const started = Object.assign(new Error('The folder is in use by process 7.'), { fix: 'Stop process 7.' })
  t.strictSame(exitStatusOf(started), { code: 3, text: 'error: The folder is in use by process 7.\nStop process 7.' })
  t.strictSame(exitStatusOf(unavailable('The database cannot be read now.', 1)), {
    code: 3,
    text: 'error: The database cannot be read now.'
  })
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open' })
  t.strictSame(exitStatusOf(denied), { code: 3, text: 'error: EACCES: permission denied' })
  t.end()
})

t.test('a fault of Pantry itself shows where it happened', t => {
  t.match(exitStatusOf(new TypeError('x is undefined')), { code: 3, text: /x is undefined\n\s+at / })
  t.end()
})
