import { h } from 'preact'
import t from 'tap'
import { Type } from '../../../../core/canonical/type.ts'
import { usesStores } from '../../../../core/discovery/pointers.ts'
import { unavailable } from '../../../../core/handler/errors.ts'
import { defineHandlerFor } from '../../../../core/handler/handler.ts'
import { defineForm, definePage } from '../../../../core/handler/page.ts'
import { handlerGeneration } from '../../../support/handler-generation.ts'
import { serveGeneration } from '../../../support/serve-root.ts'

const Reply = Type.Object({ echo: Type.Object({ note: Type.String() }), content_hash: Type.String() })

/** Shows everything it is given as text. */
const note = defineForm({
  fields: Type.Object({ isbn: Type.String({ maxLength: 40 }), note: Type.Optional(Type.String()) }),
  limitBytes: 5000,
  reply: Reply,
  toBody: ({ isbn, note = '' }) => ({ isbn: isbn.replaceAll('-', ''), note }),
  view: ({ form, sent: { data, status, reason, details }, back }) => ({
    title: data === undefined ? 'Refused' : 'A note',
    main: h('pre', null, JSON.stringify({ form, note: data?.echo.note, status, reason, field: details['field'], back }))
  })
})

const Fields = Type.Object({ isbn: Type.String(), note: Type.String() }, { additionalProperties: false })

const handler = definePage({
  forms: {
    note,
    plain: defineForm({ title: 'Nothing was noted', fields: Fields }),
    led: defineForm({ title: 'Not noted', fields: Fields, then: '/' })
  },
  view: () => ({ title: 'Notes', main: h('p', null, 'Write one.') })
})

const given = {
  kind: 'page',
  path: '/notes',
  handler,
  more: `forms:
  note: { sends: /api/v1/library/reading-note }
  plain: { path: '/notes/{shelf}/plain', sends: /api/v1/library/reading-note }
  led: { path: /notes/led, sends: /api/v1/library/reading-note }
`
} as const
const { get, registry } = await serveGeneration(t, handlerGeneration(t, { notes: given }))

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
    reason: '',
    back: '/notes'
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
  t.match(text, /<div class="mistake" role="alert"><p><strong>/, 'which says why')
})

t.test('a refused form is its page again, with what was typed, and each mistake beside its field', async t => {
  const page = {
    kind: 'page',
    path: '/desk',
    handler: definePage({
      forms: {
        note: defineForm({
          title: 'Nothing was noted',
          done: 'Noted.',
          fields: Type.Object({
            isbn: Type.String(),
            note: Type.String(),
            colour: Type.String(),
            tags: Type.Optional(Type.Array(Type.String())),
            loud: Type.Optional(Type.Boolean()),
            quiet: Type.Optional(Type.Boolean()),
            secret: Type.String()
          }),
          limitBytes: 5000,
          toBody: ({ isbn, note }) => ({ isbn, note })
        })
      },
      view: () => ({
        title: 'The desk',
        main: h('details', null, [
          h('form', { method: 'post' }, [
            h('label', { for: 'isbn' }, 'Number & book'),
            h('input', { id: 'isbn', name: 'isbn', 'aria-describedby': 'hint' }),
            h('small', { id: 'hint' }, 'Digits.'),
            h('label', null, ['Note ', h('textarea', { name: 'note' }, 'as it was')]),
            h('select', { name: 'colour' }, [h('option', null, 'red'), h('option', { value: 'b' }, 'blue')]),
            h('label', null, [h('input', { type: 'checkbox', name: 'tags', value: 'one' }), ' One']),
            h('label', null, [h('input', { type: 'checkbox', name: 'tags', value: 'two', checked: true }), ' Two']),
            h('label', null, [h('input', { type: 'checkbox', name: 'tags', value: 'three' }), ' Three']),
            h('input', { type: 'radio', name: 'loud', value: 'true', 'aria-label': 'Loud' }),
            h('input', { type: 'checkbox', name: 'quiet', value: 'true', checked: true, 'aria-label': 'Quiet' }),
            h('input', { type: 'password', name: 'secret', 'aria-label': 'Secret' })
          ])
        ])
      })
    }),
    more: 'forms: { note: { sends: /api/v1/library/reading-note } }\n'
  } as const
  const served = await serveGeneration(t, handlerGeneration(t, { desk: page }))
  const send = async (fields: string): Promise<Response> =>
    await served.get('/desk', { method: 'POST', body: fields, headers: { 'Content-Type': type }, redirect: 'manual' })
  const more = 'colour=b&tags=one&tags=three&loud=true&secret=dragon'
  const response = await send(`isbn=%22%3E%3Cb%3E&note=%0Atwo%0Alines%3C&${more}`)
  t.equal(response.status, 400)
  const text = await response.text()
  for (const part of [
    '<h1>Nothing was noted</h1>',
    '<details open>',
    '<form method="post" action="/desk">',
    '<li><a href="#isbn">Number &amp; book</a>: ',
    'value="&quot;&gt;&lt;b&gt;"',
    '<span id="isbn-mistake" class="mistake">',
    '<textarea name="note">\n\ntwo\nlines&lt;</textarea>',
    '<option value="b" selected>',
    'value="one" checked>',
    'value="three" checked>',
    'name="loud" value="true" aria-label="Loud" checked>'
  ])
    t.ok(text.includes(part), part)
  t.match(text, /id="isbn"[^>]* aria-invalid="true"[^>]* autofocus>|id="isbn"[^>]* autofocus[^>]* aria-invalid="true"/)
  t.match(text, /aria-describedby="isbn-mistake hint"/)
  t.notMatch(
    text,
    /value="two" checked|name="quiet"[^>]* checked|dragon|\^\[|as it was/,
    'what was not sent, and secrets'
  )

  const unfit = await (await send(`note=x&${more}`)).text()
  t.match(unfit, /Number &amp; book<\/a>: Please fill this in\./, 'fields that do not fit are told in the same way')

  const taken = await send(`isbn=9780141439518&note=x&${more}`)
  t.equal(taken.headers.get('location'), '/desk?done=note')
  t.match(await (await served.get('/desk?done=note')).text(), '<p class="done" role="status">Noted.</p>')
  for (let times = 0; times < 3; times += 1)
    for (const [site, says] of [
      ['same-origin', true],
      ['cross-site', false],
      ['same-site', false],
      ['none', false],
      [undefined, true]
    ] as const) {
      const headers: Record<string, string> = site === undefined ? {} : { 'Sec-Fetch-Site': site }
      const led = await served.get('/desk?done=note', { headers })
      t.equal((await led.text()).includes('class="done"'), says, `led from ${site}`)
      t.equal(led.headers.get('cache-control'), 'no-store', 'which no cache keeps for another')
      t.equal(led.headers.get('etag'), null)
    }
  for (const name of ['none', 'constructor', 'desk.note.note', '%00'])
    t.notMatch(await (await served.get(`/desk?done=${name}`)).text(), 'class="done"', name)
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
    ['isbn=1&isbn=2', '<code>isbn</code> is given 2 times'],
    ['isbn=1&stars=5', 'The form has no field <code>stars</code>'],
    ['note=x', 'isbn'],
    ['isbn=%', 'not valid percent-encoded']
  ] as const) {
    const response = await post(body)
    t.equal(response.status, 400, body)
    t.match(await response.text(), message)
  }
  const read = await get('/notes/led', { redirect: 'manual' })
  t.same(
    [read.status, read.headers.get('location')],
    [303, '/notes'],
    'who opens the path of a form is led to its page'
  )
  await read.text()
  const put = await get('/notes/led', { method: 'PUT' })
  t.same([put.status, put.headers.get('allow')], [405, 'OPTIONS, POST'])
  await put.text()
})

t.test('a form without a view leads back to its page, or on, and says why it was refused', async t => {
  const send = async (path: string, body: string): Promise<Response> =>
    await get(path, { method: 'POST', body, headers: { 'Content-Type': type }, redirect: 'manual' })
  for (const [path, to] of [
    ['/notes/top/plain', '/notes'],
    ['/notes/led', '/']
  ] as const) {
    const taken = await send(path, 'isbn=9780141439518&note=x')
    t.same([taken.status, taken.headers.get('location'), await taken.text()], [303, to, ''], path)
  }
  const refused = await send('/notes/top/plain', 'isbn=1&note=x')
  t.equal(refused.status, 400)
  const text = await refused.text()
  t.match(text, /<h1>Nothing was noted<\/h1>/)
  t.match(text, '<a href="/notes">Back</a>')
})

t.test('a form has a route, the rights of the surface that it sends to, and a place in no document', async t => {
  const own = registry.forms.filter(({ formOf }) => formOf === 'notes')
  t.same(
    own.map(({ id, route, formOf }) => [id, route.methods, route.path, formOf]),
    [
      ['notes#note', ['POST'], '/notes', 'notes'],
      ['notes#led', ['POST'], '/notes/led', 'notes'],
      ['notes#plain', ['POST'], '/notes/{shelf}/plain', 'notes']
    ]
  )
  const target = registry.surfaces.find(
    ({ route }) => route.path === '/api/v1/library/reading-note' && route.methods.includes('POST')
  )
  for (const form of own)
    for (const right of ['access', 'carriesPii', 'requiresConsent', 'license', 'sources', 'freshness'] as const)
      t.same(form[right], target?.[right], `${form.id}: ${right}`)
  for (const form of own) t.ok(usesStores(form), `${form.id} waits its turn, as what it asks does`)
  for (const path of ['/api/v1/manifest', '/api/openapi.json', '/api/v1/graph', '/api/v1/tools'])
    t.notMatch(await (await get(path)).text(), /notes(?:#|\/led)/, path)
})

t.test('a page for fewer than the surface makes its forms as strict, with the token of the session', async t => {
  const of = (access: string) => ({
    kind: 'page' as const,
    access,
    path: `/of-${access.replace(/\W/g, '')}`,
    handler: definePage({
      forms: { note: defineForm({ title: 'Not noted', fields: Fields }) },
      view: () => ({ title: 'Notes', main: h('p', null, 'Write one.') })
    }),
    more: 'forms:\n  note: { sends: /api/v1/library/reading-note }\nexamples: [{ title: One, expect: { status: 401 } }]\n'
  })
  const served = await serveGeneration(
    t,
    handlerGeneration(t, { closed: of('user'), both: of('[public, user]'), open: of('public') })
  )
  const forms = ['closed', 'both', 'open'].map(id => served.registry.forms.find(({ formOf }) => formOf === id))
  t.same(
    forms.map(form => form?.access),
    [['user'], ['public', 'user'], ['public']]
  )
  t.same(
    forms.map(form => JSON.stringify(form?.input.body?.schema).includes('"token"')),
    [true, true, false]
  )
  const stale = await served.get('/of-publicuser', {
    method: 'POST',
    body: 'isbn=9780141439518&note=x&token=of-a-session-that-ended',
    headers: { 'Content-Type': type },
    redirect: 'manual'
  })
  t.equal(stale.status, 303, 'the token of a session that has ended is no field of the surface')
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
