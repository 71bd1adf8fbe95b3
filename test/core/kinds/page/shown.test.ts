import { h } from 'preact'
import t, { type Test } from 'tap'
import { Type } from '../../../../core/canonical/type.ts'
import { invalid } from '../../../../core/handler/errors.ts'
import { defineHandlerFor, reply } from '../../../../core/handler/handler.ts'
import { definePage } from '../../../../core/handler/page.ts'
import { handlerGeneration } from '../../../support/handler-generation.ts'
import { serveGeneration } from '../../../support/serve-root.ts'

const Measured = Type.Object({ error: Type.Object({ percent: Type.Integer() }) })
const examples = 'examples: [{ title: One }]\n'

const page = definePage({
  shows: { measured: Measured },
  view: ({ shown: { measured } }) => ({ title: 'Measured', main: h('p', null, `${measured.error.percent} percent`) })
})

t.test('a member `error` of an answer that succeeds is data', async t => {
  const { get } = await serveGeneration(
    t,
    handlerGeneration(t, {
      measured: {
        path: '/measured',
        contract: 'bare',
        handler: defineHandlerFor()({ reply: Measured, handle: () => reply({ error: { percent: 3 } }) }),
        more: examples
      },
      page: { path: '/measure', kind: 'page', handler: page, more: `shows: { measured: /measured }\n${examples}` }
    })
  )
  const response = await get('/measure')
  t.equal(response.status, 200)
  t.match(await response.text(), '<p>3 percent</p>')
})

t.test('a page at the place of a page of the framework has its entry in the menu', async t => {
  const menuOf = async (t: Test, place: number): Promise<readonly (string | undefined)[]> => {
    const plain = definePage({ shows: {}, view: () => ({ title: 'Programs', main: h('p', null, 'Begin here.') }) })
    const { get } = await serveGeneration(
      t,
      handlerGeneration(t, {
        page: {
          path: '/programs',
          kind: 'page',
          handler: plain,
          more: `menu: { label: Programs, place: ${place} }\n${examples}`
        }
      })
    )
    const [nav = ''] = /<nav aria-label="Main">.*?<\/nav>/.exec(await (await get('/programs')).text()) ?? []
    return Array.from(nav.matchAll(/<li><a[^>]*>([^<]*)</g), ([, label]) => label)
  }
  await t.test('another place', async t => t.same(await menuOf(t, 1), ['Programs', 'Explore']))
  await t.test('the place of the explorer', async t => t.same(await menuOf(t, 90), ['Programs']))
})

t.test('a page and what it shows lead to each other with what was asked', async t => {
  const { get } = await serveGeneration(
    t,
    handlerGeneration(t, {
      measured: {
        path: '/measured/{at}',
        contract: 'bare',
        handler: defineHandlerFor()({
          params: Type.Object({ at: Type.String({ maxLength: 9 }) }),
          query: Type.Object({
            unit: Type.Optional(Type.String({ maxLength: 9, description: 'What is counted.' })),
            more: Type.Optional(Type.String({ maxLength: 9, description: 'Not of the page.' }))
          }),
          reply: Measured,
          handle: () => reply({ error: { percent: 3 } })
        }),
        more: 'examples: [{ title: One, params: { at: x } }]\n'
      },
      page: {
        path: '/measure/{at}',
        kind: 'page',
        handler: page,
        more: `shows: { measured: '/measured/{at}{?unit}' }\nexamples: [{ title: One, params: { at: x } }]\n`
      }
    })
  )
  const linksOf = async (path: string): Promise<string> => (await get(path)).headers.get('link') ?? ''
  t.equal(await linksOf('/measure/x?unit=a%26b'), '</measured/x?unit=a%26b>; rel="alternate"; type="application/json"')
  t.match(await linksOf('/measured/x?more=1&unit=a%26b'), '</measure/x?unit=a%26b>; rel="alternate"; type="text/html"')
  t.match(await linksOf('/measured/x?more=1'), '</measure/x>; rel="alternate"')
})

t.test('a page that is deprecated says so, and leads to its successor', async t => {
  const more = (text: string): string => `shows: { measured: /measured }\n${text}${examples}`
  const { get } = await serveGeneration(
    t,
    handlerGeneration(t, {
      measured: {
        path: '/measured',
        contract: 'bare',
        handler: defineHandlerFor()({ reply: Measured, handle: () => reply({ error: { percent: 3 } }) }),
        more: examples
      },
      old: {
        path: '/old',
        kind: 'page',
        handler: page,
        more: more('deprecation: { date: 2026-11-22, successor: now, reason: One is enough. }\n')
      },
      now: { path: '/now', kind: 'page', handler: page, more: more('') }
    })
  )
  t.match(
    await (await get('/old')).text(),
    '<strong>Deprecated since 2026-11-22: One is enough.</strong> Use this instead: <a href="/now"><code>/now</code></a>'
  )
  t.notMatch(await (await get('/now')).text(), 'Deprecated')
})

t.test('the path of what is shown takes no value of the query, which may be missing', t => {
  t.throws(
    () =>
      handlerGeneration(t, {
        page: {
          path: '/measure',
          kind: 'page',
          handler: page,
          more: `shows: { measured: '/measured/{at}{?at}' }\n${examples}`
        }
      }),
    /M326.*has no `\{at\}`/
  )
  t.end()
})

t.test('a page that could not do what it was asked for has the status of the surface that refused it', async t => {
  const { get } = await serveGeneration(
    t,
    handlerGeneration(t, {
      found: {
        path: '/found',
        contract: 'bare',
        handler: defineHandlerFor()({
          query: Type.Object({ q: Type.Optional(Type.String({ description: 'What is looked for.' })) }),
          reply: Type.Object({ q: Type.String() }),
          handle: ({ query: { q = '' } }) => {
            if (q === 'bad') throw invalid('q', 'No.', ['good'])
            return reply({ q })
          }
        }),
        more: examples
      },
      page: {
        path: '/find',
        kind: 'page',
        handler: definePage({
          query: Type.Object({ q: Type.Optional(Type.String({ description: 'What is looked for.' })) }),
          besides: { found: Type.Object({ q: Type.String() }) },
          view: ({ beside: { found } }) => ({
            title: 'Find',
            main: h('p', null, found.data?.q ?? `${found.reason} ${JSON.stringify(found.details['allowed'])}`),
            ...(found.data === undefined ? { refusedBy: 'found' } : {})
          })
        }),
        more: `besides: { found: '/found{?q}' }\n${examples}`
      }
    })
  )
  const [good, bad] = [await get('/find?q=good'), await get('/find?q=bad')]
  t.equal(good.status, 200)
  t.match(await good.text(), '<p>good</p>')
  t.equal(bad.status, 400)
  t.match(await bad.text(), '<p>No. [&quot;good&quot;]</p>')
  t.match(bad.headers.get('cache-control'), 'no-store')
})
