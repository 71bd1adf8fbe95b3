import t from 'tap'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { errorCodesOf } from '../../../core/manifest/service-defaults.ts'
import { generationOf, library } from '../../support/serve-root.ts'
import { planRequest } from '../../support/plan-request.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const request = planRequest('/api/v1/library/books', { now, requestId: 'req_0000000000000000' })

t.test('a failure has a code of the framework or one that the service declares; another one is a fault', async t => {
  const faults: unknown[] = []
  const { failure, registry } = await generationOf(t, [library], { faults })
  t.match(errorCodesOf(registry.service)['BOOK_LENT'], { status: 409 })
  const declared = failure.ofError(new SurfaceError({ code: 'BOOK_LENT' }, 'A reader has it.'), request)
  t.match(JSON.parse(String(declared.body)), { error: { code: 'BOOK_LENT', status: 409, message: 'A reader has it.' } })
  t.same(faults, [])
  const answer = failure.ofError(new SurfaceError({ code: 'BOOK_BURNT' }, 'Said by nobody.'), request)
  t.match(JSON.parse(String(answer.body)), { error: { code: 'INTERNAL', status: 500 } })
  t.notMatch(String(answer.body), 'Said by nobody')
  t.equal(faults.length, 1)
  t.match(String(faults[0]), /BOOK_BURNT.*not declared under `errors:`/)
})

t.test('a 503 that another error caused is reported with its surface, and one without a cause is not', async t => {
  const unavailable: unknown[] = []
  const { failure, registry } = await generationOf(t, [library], { unavailable })
  const away = new SurfaceError('SOURCE_UNAVAILABLE', 'Away.')
  const caused = Object.assign(new SurfaceError('SOURCE_UNAVAILABLE', 'Away.'), { cause: new Error('no route') })
  for (const error of [away, caused]) t.equal(failure.ofError(error, request, registry.surfaces[0]).status, 503)
  failure.ofError(Object.assign(new SurfaceError('NOT_FOUND', 'None.'), { cause: new Error('no row') }), request)
  t.same(unavailable, [[caused, request.requestId, registry.surfaces[0]?.route.path]])
})

t.test('a refusal that cannot be sent is a fault, and is answered', async t => {
  const faults: unknown[] = []
  const { failure } = await generationOf(t, [library], { faults })
  for (const error of [
    new SurfaceError('NOT_FOUND', 'Gone.', { headers: { 'X-Reason': 'a\nb' } }),
    new SurfaceError('NOT_FOUND', 'Gone.', { details: { count: 1n as never } })
  ]) {
    const answer = failure.ofError(error, request)
    t.match(JSON.parse(String(answer.body)), { error: { code: 'INTERNAL', status: 500 } })
  }
  t.equal(faults.length, 2)
})
