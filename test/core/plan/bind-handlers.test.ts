import t from 'tap'
import Type from 'typebox'
import { unavailable, SurfaceError } from '../../../core/handler/errors.ts'
import { defineHandlerFor, type SurfaceRequest } from '../../../core/handler/handler.ts'
import { bindHandlers } from '../../../core/plan/bind-handlers.ts'

t.test('an error that is thrown again and again says each time when its data was current', t => {
  const away = unavailable('The shelf is away.', 5)
  const handler = defineHandlerFor()({
    reply: Type.Object({}),
    handle: () => {
      throw away
    }
  })
  const moments = ['2026-01-01T00:00:00.000Z', undefined, '2026-01-02T00:00:00.000Z']
  const bound = bindHandlers({
    registry: { byId: new Map(), corpora: new Map() },
    handlers: new Map([['shelf', handler]]),
    services: {},
    asOf: () => moments.shift()
  }).get('shelf')
  const thrown = (): unknown => {
    try {
      return bound?.handle({} as SurfaceRequest)
    } catch (error) {
      return error
    }
  }
  for (const asOf of [...moments]) {
    const error = thrown()
    t.ok(error instanceof SurfaceError)
    t.match(error, { message: away.message, status: 503, headers: { 'Retry-After': '5' } })
    t.equal((error as SurfaceError).asOf, asOf)
  }
  t.end()
})
