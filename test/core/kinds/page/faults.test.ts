import { h } from 'preact'
import t, { type Test } from 'tap'
import { Type } from '../../../../core/canonical/type.ts'
import { defineHandlerFor, type Reply } from '../../../../core/handler/handler.ts'
import { definePage, type Page, type PageContent } from '../../../../core/handler/page.ts'
import { handlerGeneration } from '../../../support/handler-generation.ts'
import { serveGeneration } from '../../../support/serve-root.ts'

const examples = 'examples: [{ title: One }]\n'
const main = h('p', null, 'Hello')

/** Asks for a page that shows an answer, and returns the status with the faults that its author reads. */
async function ask(t: Test, page: Page, answer: Partial<Reply> = {}) {
  const faults: unknown[] = []
  const generation = handlerGeneration(
    t,
    {
      asked: {
        path: '/asked',
        contract: 'bare',
        handler: defineHandlerFor()({ reply: Type.Unknown(), handle: () => ({ data: {}, ...answer }) }),
        more: examples
      },
      page: { path: '/page', kind: 'page', handler: page, more: `shows: { it: /asked }\n${examples}` }
    },
    {},
    fault => {
      faults.push(fault)
    }
  )
  const { get } = await serveGeneration(t, generation)
  return { status: (await get('/page')).status, faults }
}

t.test('a view that returns no content of a page is a fault that names its file and the member', async t => {
  for (const [content, words] of [
    [null, /object.*returned null/],
    ['Hello', /object.*returned a string/],
    [[], /object.*returned a list/],
    [new String('Hello'), /`title` is a text/],
    [{ main }, /`title` is a text/],
    [{ title: null, main }, /`title` is a text/],
    [{ title: new String('Hello'), main }, /`title` is a text/],
    [{ title: 'Hello' }, /`main` is an element/],
    [{ title: 'Hello', main: null }, /`main` is an element/],
    [{ title: 'Hello', main: 'Hello' }, /`main` is an element/],
    [{ title: 'Hello', main: new String('Hello') }, /`main` is an element/],
    [{ title: 'Hello', description: null, main }, /`description` is a text/],
    [{ title: 'Hello', scripts: 'a.js', main }, /`scripts` is a list/],
    [{ seeOther: null }, /`seeOther` is the path/],
    [{ seeOther: new String('/') }, /`seeOther` is the path/]
  ] as const) {
    const view = (): PageContent => content as unknown as PageContent
    const { status, faults } = await ask(t, definePage({ shows: { it: Type.Unknown() }, view }))
    t.equal(status, 500)
    t.match(faults, [{ name: 'ReplyFault', message: words }], String(words))
    t.match((faults[0] as Error).message, /^surfaces\/handlers\/page: /)
  }
})

t.test('a page that shows an answer without a thing to show is a fault that names its manifest', async t => {
  const page = definePage({ shows: { it: Type.Unknown() }, view: () => ({ title: 'Hello', main }) })
  t.match(await ask(t, page), { status: 200, faults: [] })
  for (const status of [201, 202, 204, 300, 303, 404]) {
    const found = await ask(t, page, { status, headers: { Location: '/other' } })
    t.equal(found.status, 500)
    t.match(found.faults, [
      {
        name: 'ReplyFault',
        message: new RegExp(`manifests/page\\.yaml: .shows\\.it. asks /asked, which answered ${status}\\.`)
      }
    ])
  }
})
