import t from 'tap'
import { anonymous } from '../../../core/access/access.ts'
import { compileAsk } from '../../../core/plan/ask.ts'
import type { PlanRequest } from '../../../core/plan/request.ts'
import { generationOf, library } from '../../support/serve-root.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const request: PlanRequest = {
  method: 'GET', path: '/asking', search: 'q=1', params: { own: 'x' }, headers: { 'if-none-match': '*', 'accept-encoding': 'gzip', authorization: 'secret' },
  requestId: 'req_0123456789abcdef', now, time: now.toISOString(), rate: { remaining: 1, resetSeconds: 1 },
  caller: anonymous, callerHash: () => 'feedfacefeedface', readBody: () => Promise.reject(new Error('read')), readBytes: () => Promise.reject(new Error('read'))
}

const askOf = async (t: Parameters<typeof generationOf>[0], given: Partial<PlanRequest> = {}) => {
  const generation = await generationOf(t, [library])
  return compileAsk(() => generation)({ ...request, ...given })
}

t.test('a surface is asked in process, as anyone would ask it', async t => {
  const ask = await askOf(t)
  const asked = await ask('/api/v1/library/books?genre=novel')
  t.match(asked, { surface: { id: 'books' }, status: 200, mediaType: 'application/json', cacheControl: /^public, / })
  const { data, _meta } = JSON.parse(asked?.body ?? '') as { data: Record<string, unknown>, _meta: Record<string, unknown> }
  t.match(data, { returned: 2, filters_applied: { genre: 'novel' } })
  t.match(_meta, { endpoint: '/api/v1/library/books', retrieved_at: now.toISOString() }, 'at the moment of the request that asks')
})

t.test('a failure of the asked surface is its answer', async t => {
  const ask = await askOf(t)
  t.match(await ask('/api/v1/library/books?genre=cookery'), { status: 400, cacheControl: 'no-store' })
  t.match(await ask('/api/v1/library/books/none'), { status: 404, surface: { id: 'book' } })
})

t.test('what no surface answers with GET is undefined, and a path that cannot be read is refused', async t => {
  const ask = await askOf(t)
  for (const target of ['/api/v1/library/nothing', '//books', '/api/v1/library/books/']) t.equal(await ask(target), undefined, target)
  await t.rejects(ask('/api/v1/library/%zz'), { code: 'INVALID_INPUT', details: { field: 'path' } })
  for (const target of ['', '*', 'api', '/api/v1/library/b\u0000']) await t.rejects(ask(target), { code: 'INVALID_INPUT' }, JSON.stringify(target))
})

t.test('surfaces cannot ask each other without end', async t => {
  t.match(await (await askOf(t, { depth: 2 }))('/api/v1/library/books'), { status: 200 })
  await t.rejects((await askOf(t, { depth: 3 }))('/api/v1/library/books'), /in a loop: \/api\/v1\/library\/books/)
})
