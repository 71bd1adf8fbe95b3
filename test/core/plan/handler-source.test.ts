import t from 'tap'
import { compileHandler } from '../../../core/kinds/handler/source.ts'
import type { PlanRequest } from '../../../core/plan/request.ts'

t.test('a handler cannot answer HEAD otherwise than GET', async t => {
  const surface = { answer: { handler: 'mirror' } } as never
  const source = compileHandler(surface, { handlers: new Map([['mirror', ({ method }) => ({ data: method })]]), service: {} as never, ask: () => () => Promise.resolve(undefined) })
  for (const [method, seen] of [['GET', 'GET'], ['HEAD', 'GET'], ['POST', 'POST']] as const) {
    const request = { method, path: '/', search: '', headers: {}, now: new Date(0) } as unknown as PlanRequest
    t.match(await source.answer({ params: {}, query: {}, body: undefined }, request), { data: seen }, method)
  }
})
