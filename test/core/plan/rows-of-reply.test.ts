import Type from 'typebox'
import t from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { formats } from '../../../core/format/index.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

const Tree = Type.Object({ name: Type.String(), height: Type.Number() })
const trees = [
  { name: 'Oak', height: 21 },
  { name: 'Ash, old', height: 18.5 }
]

const handlers = {
  listed: defineHandlerFor()({
    reply: Type.Object({ total: Type.Integer(), trees: Type.Array(Tree) }),
    handle: () => reply({ total: 2, trees })
  }),
  none: defineHandlerFor()({ reply: Type.Object({ trees: Type.Array(Tree) }), handle: () => reply({ trees: [] }) }),
  one: defineHandlerFor()({ reply: Tree, handle: () => reply({ name: 'Oak', height: 21 }) }),
  words: defineHandlerFor()({
    reply: Type.Object({ words: Type.Array(Type.String()) }),
    handle: () => reply({ words: ['a', 'b'] })
  }),
  urls: defineHandlerFor()({
    reply: Type.Object({ urls: Type.Array(Type.String()) }),
    handle: () => reply({ urls: ['/a'] })
  })
}

const faults: unknown[] = []
const generation = handlerGeneration(
  t,
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      { path: `/api/v1/${name}`, more: `formats: [${formats.join(', ')}]`, handler }
    ])
  ),
  {},
  fault => {
    faults.push(fault)
  }
)
const { get } = await serveGeneration(t, generation)

const csvOf = async (name: string): Promise<string> => await (await get(`/api/v1/${name}?format=csv`)).text()

t.test('what code replies is written as the rows of its only list', async t => {
  t.equal(await csvOf('listed'), 'name,height\r\nOak,21\r\n"Ash, old",18.5\r\n')
  t.equal(await csvOf('none'), 'name,height\r\n', 'an empty list has its columns')
  t.equal(await csvOf('words'), 'value\r\na\r\nb\r\n')
  t.equal(await csvOf('one'), 'name,height\r\nOak,21\r\n', 'a reply without a list is one row')
  t.match(await (await get('/api/v1/listed?format=atom')).text(), /<title>Oak<\/title>[^]*<title>Ash, old<\/title>/)
})

t.test('no format of a reply without a rendering is empty', async t => {
  for (const name of ['listed', 'one', 'words'])
    for (const format of formats) {
      const answer = await get(`/api/v1/${name}?format=${format}`)
      const body = await answer.text()
      if (format === 'sitemap') t.match([answer.status, body], [500, /INTERNAL/], 'there are no paths for a sitemap')
      else t.match([answer.status, body], [200, /Oak|\ba\b/], `${name} as ${format}`)
    }
  t.match(faults[0], { message: /sitemap is made of the paths in `urls`/ })
  t.equal((await get('/api/v1/urls?format=sitemap')).status, 200)
  t.type((await (await get('/api/v1/listed')).json()) as JsonObject, 'object')
})
