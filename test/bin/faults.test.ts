import { createRequire } from 'node:module'
import t from 'tap'
import { runOf } from '../../bin/stack-traces.ts'
import { UsageError } from '../../bin/config.ts'
import { exitStatusOf } from '../../bin/faults.ts'
import { FindingsError } from '../../bin/io.ts'
import { OperatorFault } from '../../core/database/fault.ts'
import { toSurfaceError } from '../../core/database/errors.ts'
import { invalid, unavailable } from '../../core/handler/errors.ts'

t.test('findings end with 1, wrong usage with 2', t => {
  t.strictSame(exitStatusOf(new FindingsError('Look above.')), { code: 1, text: 'Look above.' })
  t.strictSame(exitStatusOf(new UsageError('There is no root `x`.')), { code: 2, text: 'error: There is no root `x`.' })
  const fault = new OperatorFault('O403', 'It has rows.', 'Take them away.')
  t.strictSame(exitStatusOf(fault), { code: 1, text: 'error[O403]: It has rows.\nTake them away.', fault })
  t.end()
})

t.test('trouble of the environment ends with 3, and says its code and what to do', t => {
  const inUse = new OperatorFault('O205', 'The folder is in use by process 7.', 'Stop process 7.')
  const text = 'error[O205]: The folder is in use by process 7.\nStop process 7.'
  t.strictSame(exitStatusOf(inUse), { code: 3, text, fault: inUse })
  t.match(exitStatusOf(Object.assign(new Error('no open'), { code: 'EACCES', syscall: 'open', path: '/x' })), {
    code: 3,
    text: /^error\[O404\]: no open\.\n/
  })
  t.match(exitStatusOf(Object.assign(new Error('a full disk'), { code: 'ENOSPC', syscall: 'write' })), {
    code: 3,
    text: /^error\[O404\]: a full disk\.\n/
  })
  t.match(exitStatusOf(Object.assign(new Error('no connect'), { code: 'ECONNREFUSED', syscall: 'connect' })), {
    code: 3,
    text: /^error\[O405\]: no connect\.\n/
  })
  t.end()
})

t.test('an error of the driver is told in the words of the server, with its code', t => {
  for (const [state, code] of [
    ['28P01', 'O102'],
    ['3D000', 'O103'],
    ['53300', 'O105'],
    ['57P03', 'O105'],
    ['42501', 'O106'],
    ['25006', 'O107'],
    ['53100', 'O108'],
    ['XX001', 'O109'],
    ['57014', 'O110'],
    ['ECONNREFUSED', 'O101']
  ] as const) {
    const thrown = Object.assign(new Error('select 1 - the words of the server'), { code: state })
    for (const error of [toSurfaceError(thrown), ...(state === 'ECONNREFUSED' ? [] : [thrown])])
      t.match(exitStatusOf(error), {
        code: 3,
        text: new RegExp(`^error\\[${code}\\]: .*: the words of the server\\.\n.+`)
      })
  }
  t.match(exitStatusOf(unavailable('The database cannot be read now.', 1, { subsystem: 'database' })), {
    code: 3,
    text: /^error\[O101\]/
  })
  t.match(exitStatusOf(invalid('name', '`name` is too long.')), {
    code: 3,
    text: /^error\[O903\]: `name` is too long\.\n/
  })
  t.end()
})

t.test('a fault of code names the place, one of Pantry shows its stack when it is asked for', t => {
  const root = createRequire(
    t.testdir({ 'root.cjs': 'exports.fail = () => { throw new TypeError("x is undefined") }' }) + '/'
  )
  const { fail } = root('./root.cjs') as Readonly<{ fail: () => never }>
  let thrown: unknown
  try {
    fail()
  } catch (error) {
    thrown = error
  }
  t.match(exitStatusOf(thrown), {
    code: 3,
    text: /^error\[O901\]: TypeError: x is undefined\nThrown at .*root\.cjs:1:\d+\.$/
  })
  const own = Object.assign(new TypeError('y is undefined'), { stack: 'TypeError: y is undefined\n    at node:fs:1:1' })
  t.match(exitStatusOf(own), { code: 3, text: /^error\[O902\]: TypeError: y is undefined\nThis is a fault of Pantry/ })
  t.notMatch(exitStatusOf(own).text, / at node/)
  t.match(exitStatusOf(own, true).text, /\n {4}at node:fs:1:1$/)
  t.match(exitStatusOf('text'), { code: 3, text: /^error\[O902\]: text\n/ })
  t.end()
})

t.test('a statement of code that runs before any request is told with its file, and of no request', async t => {
  for (const [state, words] of [
    ['22012', 'division by zero'],
    ['42P01', 'relation "trees" does not exist']
  ] as const) {
    const thrown = toSurfaceError(Object.assign(new Error(`select x - ${words}`), { code: state }))
    const fault = await runOf('surfaces/services.js', () => Promise.reject(thrown as Error)).catch(
      (error: unknown) => error
    )
    t.match(exitStatusOf(fault), {
      code: 3,
      text: `error[O901]: surfaces/services.js: a statement failed with SQLSTATE ${state}: ${words}\n`
    })
  }
})
