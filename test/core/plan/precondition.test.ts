import t, { type Test } from 'tap'
import { Type } from '../../../core/canonical/type.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { matchesIfMatch } from '../../../core/plan/precondition.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

type Shelf = { text: string | undefined; version: number }
type Services = Readonly<{ shelf: Shelf }>

const params = Type.Object({ id: Type.String() })
const Shown = Type.Object({ text: Type.String() })
const body = { schema: Type.Object({ text: Type.String() }, { additionalProperties: false }), limitBytes: 1000 }
const define = defineHandlerFor<Services>()
const etagOf = ({ text, version }: Shelf): string | undefined => (text === undefined ? undefined : `v${version}`)

const read = define({
  params,
  reply: Shown,
  handle: (_request, { shelf }) => reply({ text: shelf.text ?? '' }, { etag: etagOf(shelf) ?? 'none' })
})

const change = (precondition: 'optional' | 'required', isCareless = false) =>
  define({
    params,
    body,
    precondition,
    reply: Shown,
    handle: ({ body: { text }, requireMatch }, { shelf }) => {
      if (!isCareless) requireMatch(etagOf(shelf))
      Object.assign(shelf, { text, version: shelf.version + 1 })
      return reply({ text }, { etag: etagOf(shelf) ?? '' })
    }
  })

async function serveShelf(t: Test, faults: unknown[] = []) {
  const shelf: Shelf = { text: 'old', version: 1 }
  const sent = (method: string): string =>
    `method: ${method}\nexamples: [{ title: One, params: { id: a }, body: { text: one } }]`
  const generation = handlerGeneration(
    t,
    {
      shelf: { path: '/api/v1/shelf/{id}', more: 'examples: [{ title: One, params: { id: a } }]', handler: read },
      'shelf.patch': { path: '/api/v1/shelf/{id}', more: sent('PATCH'), handler: change('required') },
      'free.patch': { path: '/api/v1/free/{id}', more: sent('PATCH'), handler: change('optional') },
      'careless.patch': { path: '/api/v1/careless/{id}', more: sent('PATCH'), handler: change('optional', true) }
    },
    {},
    fault => faults.push(fault),
    { services: { shelf } }
  )
  const { get } = await serveGeneration(t, generation)
  const send = async (path: string, headers: Record<string, string> = {}, method = 'PATCH') => {
    const answer = await get(path, {
      method,
      headers: { ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(method === 'GET' ? {} : { body: '{"text":"new"}' })
    })
    const text = await answer.text()
    const { error } = (text === '' ? {} : JSON.parse(text)) as Readonly<{ error?: unknown }>
    return { status: answer.status, etag: answer.headers.get('etag'), error }
  }
  return { shelf, send, read: async (headers = {}) => await send('/api/v1/shelf/a', headers, 'GET') }
}

t.test('a thing is changed once by whoever has read it', async t => {
  const { send, read, shelf } = await serveShelf(t)
  const { etag } = await read()
  t.equal(etag, '"v1"')
  t.match(await read({ 'if-none-match': '"v1"' }), { status: 304, etag: '"v1"' })
  t.match(await send('/api/v1/shelf/a', { 'if-match': '"v1"' }), { status: 200, etag: '"v2"' })
  t.match(await send('/api/v1/shelf/a', { 'if-match': '"v1"' }), {
    status: 412,
    error: { code: 'PRECONDITION_FAILED', details: { field: 'If-Match' } }
  })
  t.equal(shelf.version, 2, 'the second one did nothing')
  t.match(await send('/api/v1/shelf/a', { 'if-match': '"v1", "v2"' }), { status: 200 })
  t.match(await send('/api/v1/shelf/a', { 'if-match': '*' }), { status: 200 })
  t.match(await send('/api/v1/shelf/a', { 'if-match': 'W/"v4"' }), { status: 412 }, 'a weak tag never matches')
})

t.test('a precondition is asked for where it is required', async t => {
  const { send, shelf } = await serveShelf(t)
  t.match(await send('/api/v1/shelf/a'), {
    status: 428,
    error: { code: 'PRECONDITION_REQUIRED', details: { field: 'If-Match' } }
  })
  t.equal(shelf.version, 1)
  t.match(await send('/api/v1/free/a'), { status: 200 })
  t.match(await send('/api/v1/free/a', { 'if-match': '"v1"' }), { status: 412 })
})

t.test('a thing is made only where there is none', async t => {
  const { send, shelf } = await serveShelf(t)
  t.match(await send('/api/v1/shelf/a', { 'if-none-match': '*' }), {
    status: 412,
    error: { details: { field: 'If-None-Match' } }
  })
  shelf.text = undefined
  t.match(await send('/api/v1/shelf/a', { 'if-match': '*' }), { status: 412 }, 'and changed only where there is one')
  t.match(await send('/api/v1/shelf/a', { 'if-none-match': '*' }), { status: 200, etag: '"v2"' })
})

t.test('a handler that declares a precondition and does not ask for it is a fault', async t => {
  const faults: unknown[] = []
  const { send } = await serveShelf(t, faults)
  t.match(await send('/api/v1/careless/a', { 'if-match': '"v1"' }), { status: 500 })
  t.match(String(faults[0]), /`careless.patch` declares `precondition`/)
})

t.test('If-Match by strong comparison', t => {
  for (const header of ['"a"', '"b", "a"', ' , "b" ,\t"a"', '"a",', '"a", broken', 'W/"a", "a"'])
    t.equal(matchesIfMatch(header, '"a"'), true, header)
  for (const header of ['', 'a', '"b"', 'W/"a"', '"A"', 'broken, "a"', '"b" "a"', '"x,a"'])
    t.equal(matchesIfMatch(header, '"a"'), false, header)
  t.end()
})
