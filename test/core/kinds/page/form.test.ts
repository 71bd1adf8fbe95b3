import { h } from 'preact'
import t from 'tap'
import { Type } from '../../../../core/canonical/type.ts'
import { unavailable } from '../../../../core/handler/errors.ts'
import { defineHandlerFor } from '../../../../core/handler/handler.ts'
import { definePage } from '../../../../core/handler/page.ts'
import { handlerGeneration } from '../../../support/handler-generation.ts'
import { serveGeneration } from '../../../support/serve-root.ts'

const Reply = Type.Object({ echo: Type.Object({ note: Type.String() }), content_hash: Type.String() })

/** Shows everything it is given as text. */
const handler = definePage({
  form: {
    fields: Type.Object({ isbn: Type.String({ maxLength: 40 }), note: Type.Optional(Type.String()) }),
    limitBytes: 5000,
    reply: Reply,
    toBody: ({ isbn, note = '' }) => ({ isbn: isbn.replaceAll('-', ''), note })
  },
  view: ({ form, sent: { data, status, reason, details } }) => ({
    title: data === undefined ? 'Refused' : 'A note',
    main: h('pre', null, JSON.stringify({ form, note: data?.echo.note, status, reason, field: details['field'] }))
  })
})

const given = {
  kind: 'page',
  path: '/notes',
  handler,
  more: 'method: POST\nsends: /api/v1/library/reading-note\nexamples: [{ title: One, body: { isbn: 978-0-14-143951-8, note: x } }]\n'
} as const
const { get } = await serveGeneration(t, handlerGeneration(t, { 'notes.post': given }))

const type = 'application/x-www-form-urlencoded'
const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  get('/notes', { method: 'POST', body, headers: { 'Content-Type': type, ...headers } })
const shown = async (response: Response): Promise<unknown> =>
  JSON.parse((/<pre>(.*)<\/pre>/.exec(await response.text())?.[1] ?? 'null').replaceAll('&quot;', '"'))

t.test('what a form says is sent on, and the view is given the answer', async t => {
  const response = await post('isbn=978-0-14-143951-8&note=+A++truth.+')
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /^text\/html/)
  t.equal(response.headers.get('cache-control'), 'no-store')
  t.equal(response.headers.get('etag'), null)
  t.same(await shown(response), {
    form: { isbn: '978-0-14-143951-8', note: ' A  truth. ' },
    note: 'A truth.',
    status: 200,
    reason: ''
  })
  t.same(
    ((await shown(await post('isbn=978-0-14-143951-8&note=Another.'))) as { note: string }).note,
    'Another.',
    'nothing is kept'
  )
})

t.test('a refusal of the surface is a page of its own, with what was entered', async t => {
  const response = await post('isbn=1&note=%3Cb%3E')
  t.equal(response.status, 400)
  t.equal(response.headers.get('cache-control'), 'no-store')
  const text = await response.text()
  t.match(text, /<h1>Refused<\/h1>/)
  t.notMatch(text, '<b>')
  t.match(text, '&quot;field&quot;:&quot;isbn&quot;')
})

t.test('what the surface reads at most holds for a page as for anyone', async t => {
  t.equal((await post(`isbn=9780141439518&note=${'a'.repeat(4500)}`)).status, 413)
})

t.test('a form is refused that came from elsewhere, is none, or is too large', async t => {
  for (const [status, headers] of [
    [403, { 'Sec-Fetch-Site': 'cross-site' }],
    [403, { Origin: 'https://evil.example' }],
    [415, { 'Content-Type': 'application/json' }],
    [415, { 'Content-Encoding': 'gzip' }]
  ] as const) {
    const response = await post('isbn=9780141439518&note=x', headers)
    t.equal(response.status, status, JSON.stringify(headers))
    t.match(await response.text(), `<small>Status ${status}.`)
  }
  const large = await post('a'.repeat(5001))
  t.equal(large.status, 413)
  await large.text()
  for (const [body, message] of [
    ['isbn=1&isbn=2', '`isbn` is given 2 times'],
    ['isbn=1&stars=5', 'The form has no field `stars`'],
    ['note=x', 'isbn'],
    ['isbn=%', 'not valid percent-encoded']
  ] as const) {
    const response = await post(body)
    t.equal(response.status, 400, body)
    t.match(await response.text(), message)
  }
  const read = await get('/notes')
  t.equal(read.status, 405)
  await read.text()
})

t.test('a page whose surface is away says when to come again, as the surface does', async t => {
  const away = defineHandlerFor()({
    reply: Type.Object({}),
    handle: () => {
      throw unavailable('The shelf is away.', 7)
    }
  })
  const page = definePage({
    shows: { shelf: Type.Object({}) },
    view: () => ({ title: 'A shelf', main: h('p', null, 'Here.') })
  })
  const served = await serveGeneration(
    t,
    handlerGeneration(t, {
      shelf: { path: '/api/v1/shelf', handler: away, more: 'examples: [{ title: One, expect: { status: 503 } }]\n' },
      shown: {
        kind: 'page',
        path: '/shelf',
        handler: page,
        more: 'shows: { shelf: /api/v1/shelf }\nexamples: [{ title: One, expect: { status: 503 } }]\n'
      }
    })
  )
  const response = await served.get('/shelf')
  t.equal(response.status, 503)
  t.equal(response.headers.get('retry-after'), '7')
  t.match(await response.text(), 'The shelf is away.')
})
