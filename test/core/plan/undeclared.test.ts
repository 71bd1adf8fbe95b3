import { h } from 'preact'
import Type from 'typebox'
import t, { type Test } from 'tap'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { definePage } from '../../../core/handler/page.ts'
import { dispatch, routeOf } from '../../../core/plan/generation.ts'
import { emptyMemo } from '../../support/empty-memo.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { generationOf, library, serveGeneration, type Served } from '../../support/serve-root.ts'
import { planRequest } from '../../support/plan-request.ts'

const field = 'x-ignored-parameters'
const text = Type.Object({ text: Type.String() })
const define = defineHandlerFor()

/** Surfaces that differ in what they do with parameters that they do not declare. */
function handlers(t: Test) {
  emptyMemo()
  const state = { calls: 0 }
  const plain = define({
    query: Type.Object({ q: Type.Optional(Type.Integer({ minimum: 0, description: 'A number.' })) }),
    reply: text,
    handle: ({ query: { q = 0 } }) => reply({ text: String(q) })
  })
  const kept = define({
    reply: text,
    version: () => Promise.resolve('1'),
    handle: () => {
      state.calls += 1
      return reply({ text: 'the same' })
    }
  })
  const raw = define({
    rawQuery: true,
    reply: text,
    handle: ({ rawQuery }) => reply({ text: [...rawQuery.keys()].join() })
  })
  const own = define({
    query: Type.Object({ format: Type.Optional(Type.String({ description: 'Which deck.' })) }),
    reply: text,
    handle: ({ query: { format = '' } }) => reply({ text: format })
  })
  const posted = define({ bytes: { limitBytes: 10 }, reply: text, handle: () => reply({ text: 'taken' }) })
  const page = definePage({ view: () => ({ title: 'A page', main: h('p', null, 'Here.') }) })
  const given = { more: '' }
  const generation = handlerGeneration(t, {
    plain: { ...given, path: '/api/v1/plain', handler: plain },
    strict: { path: '/api/v1/strict', more: 'strict: true\n', handler: plain },
    kept: { ...given, path: '/api/v1/kept', handler: kept },
    raw: { ...given, path: '/api/v1/raw', handler: raw },
    own: { ...given, path: '/api/v1/own', handler: own },
    closed: { ...given, path: '/api/v1/closed', handler: plain, access: 'user' },
    'posted.post': {
      path: '/api/v1/posted',
      more: 'method: POST\nexamples: [{ title: One, body: {} }]\n',
      handler: posted
    },
    page: { ...given, path: '/page', handler: page, kind: 'page' as const }
  })
  return { state, generation }
}

const serveHandlers = async (t: Test) => {
  const { state, generation } = handlers(t)
  return { state, generation, ...(await serveGeneration(t, generation)) }
}

const ignoredAt = async ({ get }: Pick<Served, 'get'>, path: string, init?: RequestInit): Promise<string | null> =>
  (await get(path, init)).headers.get(field)

t.test(
  'parameters that a surface does not declare are named, without their values, and change nothing else',
  async t => {
    const served = await serveHandlers(t)
    const ignored = (query: string): Promise<string | null> => ignoredAt(served, `/api/v1/plain${query}`)
    t.equal(await ignored(''), null)
    t.equal(await ignored('?q=1'), null)
    t.equal(await ignored('?limitt=secret&q=1'), 'limitt')
    t.equal(await ignored('?a=1&b=2&a=3&%62.c-d_E=4'), 'a, b, b.c-d_E')
    t.equal(await ignored('?limitt=1&a+b=2&%0d%0aSet-Cookie:x=3&=4'), 'limitt, 3 more', 'others are counted')
    t.equal(await ignored(`?${'x'.repeat(40)}&${'y'.repeat(41)}`), `${'x'.repeat(40)}, 1 more`)
    t.equal(await ignored('?%E2%82%AC=1'), '1 more')
    t.equal(await ignored(`?${'abcdefghij'.split('').join('&')}`), 'a, b, c, d, e, f, g, h, 2 more')
    t.equal(await ignored('?%=1'), null, 'a query that cannot be read')
    t.notMatch(
      await (await served.get('/api/v1/plain?undeclared=1&q=2')).text(),
      'undeclared',
      'the body does not have it'
    )
  }
)

t.test('errors, 304, HEAD, pages and documents of a matched surface have the field too', async t => {
  const served = await serveHandlers(t)
  const { get } = served
  for (const [path, status] of [
    ['/api/v1/plain?q=x&zz=1', 400],
    ['/api/v1/closed?zz=1', 401],
    ['/page?zz=1', 200],
    ['/api/openapi.json?zz=1', 200],
    ['/api/v1/library/books/9780141439518?zz=1', 200],
    ['/api/v1/library/books/none?zz=1', 404]
  ] as const) {
    const answer = await get(path)
    t.same([answer.status, answer.headers.get(field)], [status, 'zz'], path)
  }
  t.equal(await ignoredAt(served, '/api/v1/plain?zz=1', { method: 'HEAD' }), 'zz')
  t.equal(await ignoredAt(served, '/api/v1/posted?zz=1', { method: 'POST', body: 'x' }), 'zz')
  t.equal(await ignoredAt(served, '/api/v1/nothing-here?zz=1'), null, 'no surface, no parameters')
  const etag = (await get('/api/v1/library/books')).headers.get('etag') ?? ''
  const unchanged = await get('/api/v1/library/books?zz=1', { headers: { 'If-None-Match': etag } })
  t.same([unchanged.status, unchanged.headers.get(field)], [304, 'zz'])
  const exposed = unchanged.headers.get('access-control-expose-headers') ?? ''
  t.ok(exposed.toLowerCase().split(', ').includes(field), 'scripts of other origins may read it')
})

t.test('what is kept of an answer does not have the field', async t => {
  const served = await serveHandlers(t)
  const { get, state } = served
  for (let turn = 0; turn < 3; turn += 1) await get('/api/v1/kept?zz=1')
  t.equal(state.calls, 2)
  const [one, other, none] = [await get('/api/v1/kept?a=1'), await get('/api/v1/kept?b=1'), await get('/api/v1/kept')]
  t.same(
    [one, other, none].map(({ headers }) => headers.get(field)),
    ['a', 'b', null]
  )
  t.equal(new Set([one, other, none].map(({ headers }) => headers.get('etag'))).size, 1)
  t.equal(state.calls, 2, 'undeclared parameters make no other answer')
})

t.test('neither a surface that reads all parameters nor one that another asks has the field', async t => {
  const served = await serveHandlers(t)
  const raw = await served.get('/api/v1/raw?zz=1')
  t.equal(raw.headers.get(field), null)
  t.match(await raw.json(), { data: { text: 'zz' } })
  const headAt = async (more: { depth?: number }): Promise<string> => {
    const request = planRequest('/api/v1/plain', { search: 'zz=1', ...more })
    return (await dispatch(served.generation, request, routeOf(served.generation, 'GET', '/api/v1/plain')).answer).head
  }
  t.match(await headAt({}), /\r\nX-Ignored-Parameters: zz\r\n$/)
  t.notMatch(await headAt({ depth: 1 }), /\r\nX-Ignored-Parameters:/)
})

t.test('a strict surface refuses an undeclared parameter by name, and lists the declared ones', async t => {
  const { get } = await serveHandlers(t)
  t.equal((await get('/api/v1/strict?q=1')).status, 200)
  const refused = await get('/api/v1/strict?q=1&limitt=3')
  t.equal(refused.status, 400)
  t.equal(refused.headers.get(field), null, 'it is not ignored')
  t.match(await refused.json(), {
    error: {
      code: 'INVALID_INPUT',
      message: 'There is no query parameter `limitt` here.',
      details: { in: 'query', field: 'limitt', allowed: ['q'] }
    }
  })
  t.match(await (await get('/api/v1/strict?Q=1')).json(), {
    error: { message: 'There is no query parameter `Q` here. Near: `q`.', details: { near: ['q'] } }
  })
})

const rights = `tags: [test]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-28
contract: bare
`
const root = {
  manifests: {
    'still.yaml': `kind: status-only\npath: /still\nsummary: Still.\n${rights}status: 200\nanswer: { still: true }\n`,
    'shut.yaml': `kind: status-only\npath: /shut\nsummary: Shut.\n${rights}strict: true\nstatus: 200\nanswer: { shut: true }\n`
  }
}

t.test('a surface whose answer needs no input refuses the same', async t => {
  const served = await serveGeneration(t, await generationOf(t, [library, t.testdir(root)]))
  const { get } = served
  t.equal(await ignoredAt(served, '/still?zz=1'), 'zz')
  t.equal((await get('/still?%')).status, 200, 'a query that it does not read')
  t.equal((await get('/still?format=md')).status, 400)
  t.equal((await get('/shut')).status, 200)
  for (const query of ['?zz=1', '?%']) t.equal((await get(`/shut${query}`)).status, 400, query)
  t.match(await (await get('/shut?zz=1')).json(), { error: { details: { field: 'zz', allowed: [] } } })
})

t.test('a surface with one representation refuses another by `format`, and takes its own', async t => {
  const served = await serveHandlers(t)
  const { get } = served
  for (const path of ['/api/v1/plain', '/api/v1/strict', '/api/v1/kept', '/api/v1/raw']) {
    const refused = await get(`${path}?format=csv`)
    t.equal(refused.status, 400, path)
    t.match(await refused.json(), {
      error: {
        message: 'There is only one representation here, `json`.',
        details: { in: 'query', field: 'format', allowed: ['json'] }
      }
    })
    t.equal((await get(`${path}?format=json&format=csv`)).status, 400, path)
    const own = await get(`${path}?format=json`)
    t.same([own.status, own.headers.get(field)], [200, null], path)
  }
  t.match(await (await get('/page?format=json')).text(), /There is only one representation here/, 'as a page')
  t.match(await (await get('/api/v1/own?format=standard')).json(), { data: { text: 'standard' } }, 'its own `format`')
  t.equal(await ignoredAt(served, '/api/v1/posted?format=csv', { method: 'POST', body: 'x' }), 'format')
  t.match(
    await (await get('/api/v1/library/books?format=papyrus')).json(),
    { error: { details: { field: 'format', allowed: ['json', 'md', 'txt', 'atom', 'ndjson', 'html', 'csv'] } } },
    'where there are several, as before'
  )
})
