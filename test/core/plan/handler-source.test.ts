import t from 'tap'
import type { BoundHandler } from '../../../core/plan/kind.ts'
import { compileHandler } from '../../../core/kinds/handler.ts'
import type { PlanRequest } from '../../../core/plan/request.ts'

t.test('a handler cannot answer HEAD otherwise than GET', async t => {
  const surface = { answer: { handler: 'mirror' } } as never
  const mirror: BoundHandler = {
    shape: { reply: {} },
    corpora: {},
    pathTo: {} as never,
    handle: ({ method }) => ({ data: method })
  }
  const source = compileHandler(surface, {
    handlers: new Map([['mirror', mirror]]),
    service: {} as never,
    ask: () => () => Promise.resolve(undefined)
  })
  for (const [method, seen] of [
    ['GET', 'GET'],
    ['HEAD', 'GET'],
    ['POST', 'POST']
  ] as const) {
    const request = { method, path: '/', search: '', headers: {}, now: new Date(0) } as unknown as PlanRequest
    t.match(await source.answer({ params: {}, query: {}, body: undefined }, request), { data: seen }, method)
  }
})
