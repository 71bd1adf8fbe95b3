import t from 'tap'
import { compileAsk } from '../../../core/plan/generation.ts'
import { noopTracer, type PlanRequest } from '../../../core/plan/request.ts'
import { generationOf, library } from '../../support/serve-root.ts'
import { planRequest } from '../../support/plan-request.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const request = planRequest('/asking', {
  search: 'q=1',
  params: { own: 'x' },
  headers: { 'if-none-match': '*', 'accept-encoding': 'gzip', authorization: 'secret' },
  now,
  callerHash: () => 'feedfacefeedface'
})

const askOf = async (t: Parameters<typeof generationOf>[0], given: Partial<PlanRequest> = {}) => {
  const generation = await generationOf(t, [library])
  return compileAsk(() => generation, noopTracer)({ ...request, ...given })
}

t.test('a surface is asked in process, as anyone would ask it', async t => {
  const ask = await askOf(t)
  const asked = await ask('/api/v1/library/books?genre=novel')
  t.match(asked, { surface: { id: 'books' }, status: 200, mediaType: 'application/json', cacheControl: /^public, / })
  const { data, _meta } = JSON.parse(asked?.body ?? '') as {
    data: Record<string, unknown>
    _meta: Record<string, unknown>
  }
  t.match(data, { returned: 2, filters_applied: { genre: 'novel' } })
  t.match(
    _meta,
    { endpoint: '/api/v1/library/books', retrieved_at: now.toISOString() },
    'at the moment of the request that asks'
  )
})

t.test('a surface is sent a body, which it reads as from anyone', async t => {
  const ask = await askOf(t)
  const path = '/api/v1/library/reading-note'
  const sent = (note: string) => ask(path, { method: 'POST', body: { isbn: '9780141439518', note } })
  const asked = await sent(' A  truth. ')
  t.match(asked, { surface: { id: 'reading-note.post' }, status: 200, cacheControl: 'no-store' })
  t.match(JSON.parse(asked?.body ?? ''), { data: { echo: { note: 'A truth.' } } })
  t.match(await sent(''), { status: 400 })
  t.match(await sent('a'.repeat(4096)), { status: 413 })
  t.match(await sent('\ud800'), { status: 400 }, 'half a surrogate pair is no JSON of RFC 8259')
  t.equal(await ask('/api/v1/library/books', { method: 'POST', body: {} }), undefined)
})

t.test('a failure of the asked surface is its answer', async t => {
  const ask = await askOf(t)
  t.match(await ask('/api/v1/library/books?genre=cookery'), { status: 400, cacheControl: 'no-store' })
  t.match(await ask('/api/v1/library/books/none'), { status: 404, surface: { id: 'book' } })
})

t.test('what no surface answers with GET is undefined, and a path that cannot be read is refused', async t => {
  const ask = await askOf(t)
  for (const target of ['/api/v1/library/nothing', '//books', '/api/v1/library/books/'])
    t.equal(await ask(target), undefined, target)
  await t.rejects(ask('/api/v1/library/%zz'), { code: 'INVALID_INPUT', details: { field: 'path' } })
  for (const target of ['', '*', 'api', '/api/v1/library/b\u0000'])
    await t.rejects(ask(target), { code: 'INVALID_INPUT' }, JSON.stringify(target))
})

t.test('surfaces cannot ask each other without end', async t => {
  t.match(await (await askOf(t, { depth: 2 }))('/api/v1/library/books'), { status: 200 })
  await t.rejects((await askOf(t, { depth: 3 }))('/api/v1/library/books'), /in a loop: \/api\/v1\/library\/books/)
})
