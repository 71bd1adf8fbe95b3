import { h } from 'preact'
import t from 'tap'
import { Type } from '../../../../core/canonical/type.ts'
import { invalid, unavailable } from '../../../../core/handler/errors.ts'
import { defineHandlerFor } from '../../../../core/handler/handler.ts'
import { defineForm, definePage } from '../../../../core/handler/page.ts'
import { handlerGeneration } from '../../../support/handler-generation.ts'
import { serveGeneration } from '../../../support/serve-root.ts'

const type = 'application/x-www-form-urlencoded'

t.test('a mistake in a group is named by its legend, and described where the group begins', async t => {
  const box = (type: string, name: string, value: string) =>
    h('label', null, [h('input', { type, name, value }), value])
  const page = definePage({
    forms: {
      note: defineForm({
        title: 'Nothing was noted',
        fields: Type.Object({
          colours: Type.Array(Type.String({ maxLength: 5 }), { minItems: 1 }),
          sizes: Type.Optional(Type.Array(Type.String({ maxLength: 5 }))),
          loud: Type.Boolean(),
          words: Type.Array(Type.String({ maxLength: 5 }), { maxItems: 2 })
        })
      })
    },
    view: () => ({
      title: 'The desk',
      main: h('section', null, [
        h('form', { method: 'post' }, [
          h('fieldset', { 'aria-describedby': 'hint' }, [
            h('legend', null, 'Colours & hues'),
            h('small', { id: 'hint' }, 'One at least.'),
            box('checkbox', 'colours', 'red'),
            box('checkbox', 'colours', 'blue')
          ]),
          h('fieldset', null, [
            h('legend', null, 'Sizes'),
            box('checkbox', 'sizes', 'large'),
            box('checkbox', 'sizes', 'tiny')
          ]),
          h('fieldset', null, [
            h('legend', null, 'How loud'),
            box('radio', 'loud', 'true'),
            box('radio', 'loud', 'false')
          ]),
          h('fieldset', null, [
            h('legend', null, 'Words'),
            ...['1', '2', '3'].map(one => h('label', null, [`Word ${one}`, h('input', { name: 'words' })]))
          ])
        ])
      ])
    })
  })
  const more = 'forms: { note: { sends: /api/v1/library/reading-note } }\n'
  const served = await serveGeneration(
    t,
    handlerGeneration(t, { desk: { kind: 'page', path: '/desk', handler: page, more } })
  )
  const send = async (body: string): Promise<string> =>
    await (await served.get('/desk', { method: 'POST', body, headers: { 'Content-Type': type } })).text()

  const none = await send('words=a&words=b&words=c&sizes=large&sizes=gigantic')
  for (const part of [
    '<a href="#field-colours">Colours &amp; hues</a>: Please fill this in.',
    '<fieldset aria-describedby="field-colours-mistake hint"><legend>Colours &amp; hues</legend><span id="field-colours-mistake" class="mistake">',
    '<a href="#field-loud">How loud</a>',
    '<fieldset aria-describedby="field-loud-mistake"><legend>How loud</legend><span id="field-loud-mistake"',
    '<a href="#field-words">Words</a>',
    '<fieldset aria-describedby="field-words-mistake"><legend>Words</legend>',
    '<a href="#field-sizes-1">Sizes</a>'
  ])
    t.ok(none.includes(part), part)
  t.match(none, /<input type="checkbox" name="colours" value="red" id="field-colours" aria-invalid="true" autofocus>/)
  const one = await send('colours=red&loud=true&words=a&words=endless')
  t.match(one, '<a href="#field-words-1">Word 2</a>', 'a text at its place is named by its own label')
})

t.test('a second step names what was sent, and comes back with it after a refusal', async t => {
  const refusing = defineHandlerFor()({
    body: { schema: Type.Object({ isbn: Type.String(), reason: Type.String({ minLength: 3 }) }), limitBytes: 5000 },
    reply: Type.Object({}),
    handle: ({ body: { isbn } }) => {
      if (isbn === 'bad') throw invalid('isbn', 'It is no number.')
      throw unavailable('The shelf is away.', 7)
    }
  })
  const page = definePage({
    forms: {
      lost: defineForm({
        title: 'It is not lost',
        fields: Type.Object({
          isbn: Type.String(),
          note: Type.Optional(Type.String()),
          reason: Type.Optional(Type.String())
        }),
        toBody: ({ isbn, reason = '' }) => ({ isbn, reason })
      })
    },
    view: () => ({
      title: 'A shelf',
      main: h('section', null, [
        h('form', { method: 'post' }, [h('input', { name: 'isbn' }), h('textarea', { name: 'note' })])
      ])
    })
  })
  const step = `confirm: [{ title: 'Lose {about}, {isbn}?', says: 'Of {shelf}: {note}', button: Lose it, reason: true }]`
  const served = await serveGeneration(
    t,
    handlerGeneration(t, {
      'loss.post': {
        path: '/api/v1/loss',
        handler: refusing,
        more: 'method: POST\nexamples: [{ title: One, body: { isbn: a, reason: abc }, expect: { status: 503 } }]\n'
      },
      shown: {
        kind: 'page',
        path: '/shelves/{shelf}',
        handler: page,
        more: `forms: { lost: { sends: /api/v1/loss, ${step} } }\nexamples: [{ title: One, params: { shelf: top } }]\n`
      }
    })
  )
  const send = async (body: string): Promise<readonly [number, string]> => {
    const headers = { 'Content-Type': type }
    const response = await served.get('/shelves/top', { method: 'POST', body, headers })
    return [response.status, await response.text()]
  }
  const sent = 'isbn=12&note=%3Ci%3E%7Bisbn%7D&about=Emma'
  const kept = ['name="isbn" value="12"', 'name="note" value="&lt;i>{isbn}"', 'name="about" value="Emma"']
  const [asked, question] = await send(sent)
  t.equal(asked, 200)
  t.match(question, '<h1>Lose Emma, 12?</h1>')
  t.match(question, 'Of top: &lt;i>{isbn}', 'which is no placeholder, and no element')
  for (const part of kept) t.match(question, part)
  t.match((await send('isbn=12'))[1], '<h1>Lose , 12?</h1>', 'what was not sent has no name')

  const [away, again] = await send(`${sent}&confirmed=yes&reason=It+is+gone`)
  t.equal(away, 503)
  t.match(again, /role="alert"><p><strong>The shelf is away\./)
  for (const part of [...kept, 'name="confirmed" value="yes"', '\nIt is gone</textarea>', 'Lose it</button>'])
    t.match(again, part)

  const [, short] = await send(`${sent}&confirmed=yes&reason=a`)
  t.match(short, '<span id="reason-mistake" class="mistake">', 'a reason that does not do is asked again')
  for (const part of kept) t.match(short, part)

  const [, bad] = await send('isbn=bad&note=kept&confirmed=yes&reason=It+is+gone')
  t.match(bad, 'It is no number.')
  t.match(bad, /<input name="isbn"[^>]* value="bad"/, 'a field that only the page has is corrected there')
  t.match(bad, '\nkept</textarea>')
})
