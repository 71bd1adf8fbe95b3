import t from 'tap'
import { SurfaceError, notFound } from '../../../core/handler/errors.ts'
import { isDamage, operatorFaultOf, toSurfaceError } from '../../../core/database/errors.ts'

const fault = (code: string, message = 'select secret from hidden') => Object.assign(new Error(message), { code })

t.test('trouble that passes is a 503 with Retry-After and without the words of the server', t => {
  const passing = [
    ...[
      '08006',
      '28P01',
      '3D000',
      '40001',
      '40P01',
      '53200',
      '53300',
      '55P03',
      '57014',
      '57P01',
      '57P03',
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOENT'
    ].map(code => fault(code)),
    new Error('Connection terminated unexpectedly'),
    new Error('select secret from hidden - Query read timeout')
  ]
  for (const error of passing) {
    const result = toSurfaceError(error)
    t.match(result, { code: 'SOURCE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } }, error.message)
    t.notMatch((result as Error).message, /secret|terminated/)
    t.equal((result as Error).cause, error, 'the cause is kept for the log')
  }
  t.end()
})

t.test('trouble that an operator has to end is told as it is', t => {
  for (const [code, words, seconds] of [
    ['53100', /disk of the database is full/, '300'],
    ['25006', /read-only/, '1'],
    ['O104', /cannot be reached safely/, '300']
  ] as const) {
    t.match(
      toSurfaceError(fault(code)),
      { code: 'SOURCE_UNAVAILABLE', status: 503, message: words, headers: { 'Retry-After': seconds } },
      code
    )
  }
  t.end()
})

t.test('what the server cannot read of what it stored is a 503 that asks for patience', t => {
  for (const code of ['58030', '58P01', 'XX001', 'XX002']) {
    const result = toSurfaceError(fault(code))
    t.match(result, { code: 'SOURCE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '300' } }, code)
    t.notMatch((result as Error).message, /secret/)
  }
  t.end()
})

t.test('an internal error of the server is damage only where its words say so', t => {
  const internal = (message: string): Error => Object.assign(new Error(message), { code: 'XX000' })
  for (const words of [
    'invalid page in block 3 of relation base/5/16384',
    'select 1 - could not read block 7 in file "base/5/16384": read only 0 of 8192 bytes',
    'missing chunk number 0 for toast value 16390 in pg_toast_16384',
    'compressed pglz data is corrupt'
  ]) {
    t.ok(isDamage(internal(words)), words)
    t.match(toSurfaceError(internal(words)), { status: 503, headers: { 'Retry-After': '300' } }, words)
    t.match(operatorFaultOf(internal(words)), { code: 'O109' }, words)
  }
  for (const words of ['tsquery is too large', 'tuple concurrently updated', 'cache lookup failed for type 16391']) {
    const error = internal(words)
    t.notOk(isDamage(error), words)
    t.equal(toSurfaceError(error), error, words)
    t.equal(operatorFaultOf(error), undefined, words)
  }
  t.end()
})

t.test("a value that cannot be represented is the caller's mistake", t => {
  for (const code of ['22021', '22003', '22P02'])
    t.match(toSurfaceError(fault(code)), { status: 400, code: 'INVALID_INPUT' })
  t.end()
})

t.test('anything else stays what it is', t => {
  for (const error of [fault('23505'), fault('42P01'), new TypeError('x'), 'text', notFound('card', 'x')])
    t.equal(toSurfaceError(error), error)
  t.notOk(toSurfaceError(fault('42601')) instanceof SurfaceError)
  t.end()
})
