import Type from 'typebox'
import t, { type Test } from 'tap'
import { anonymous } from '../../../core/access/access.ts'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { toolsOf } from '../../../core/discovery/tool-catalogue.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { callTool, outputSchemaOf } from '../../../core/kinds/mcp/call.ts'
import { compileAsk } from '../../../core/plan/generation.ts'
import { noopTracer } from '../../../core/plan/request.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { english } from '../../../core/vocabulary/language.ts'
import { emptyMemo } from '../../support/empty-memo.ts'
import { followNext, linkTo } from '../../support/follow-next.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'
import { planRequest } from '../../support/plan-request.ts'

const path = '/api/v1/numbers'
const size = 3

type Body = Readonly<{ data: { numbers: readonly number[] }; _meta: { next_link: string | null } }>

/** A list of numbers in pages; its version is how many there are. */
async function numbers(t: Test, words: Readonly<{ next_link?: boolean }> = {}) {
  emptyMemo()
  const state = { total: 7 }
  const handler = defineHandlerFor()({
    query: Type.Object({
      word: Type.Optional(Type.String({ description: 'Kept from page to page.' })),
      offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'How many to leave out first.' }))
    }),
    reply: Type.Object({ numbers: Type.Array(Type.Integer()) }),
    version: () => Promise.resolve(String(state.total)),
    handle: ({ query: { offset = 0 } }) => {
      const behind = offset + size
      const all = Array.from({ length: state.total }, (_, at) => at)
      return reply({ numbers: all.slice(offset, behind) }, behind < state.total ? { next: { offset: behind } } : {})
    }
  })
  const generation = handlerGeneration(t, { numbers: { path, more: '', handler } }, words)
  return { state, generation, ...(await serveGeneration(t, generation)) }
}

for (const says of [true, false]) {
  t.test(`the next page of a handler is in Link, and in the envelope: ${says}`, async t => {
    const { get } = await numbers(t, says ? {} : { next_link: false })
    const first = await get(`${path}?word=a%26b&zz=1`)
    const next = `${path}?word=a%26b&offset=3`
    t.equal(linkTo(first.headers, 'next'), next, 'with the declared parameters of the request, and no other')
    t.equal(((await first.json()) as Body)._meta.next_link, says ? next : null)
    const pages = (await followNext(get, path)) as Body[]
    t.same(
      pages.flatMap(({ data }) => data.numbers),
      [0, 1, 2, 3, 4, 5, 6]
    )
    t.same(
      pages.map(({ _meta: meta }) => meta.next_link),
      says ? [`${path}?offset=3`, `${path}?offset=6`, null] : [null, null, null]
    )
  })

  t.test(`an answer that is kept has the next page of its version, in the envelope: ${says}`, async t => {
    const { get, state } = await numbers(t, says ? {} : { next_link: false })
    state.total = size
    const ask = async (headers: Readonly<Record<string, string>> = {}) => {
      const response = await get(path, { headers })
      const text = await response.text()
      return {
        status: response.status,
        etag: response.headers.get('etag') ?? '',
        next: linkTo(response.headers, 'next'),
        member: text === '' ? null : (JSON.parse(text) as Body)._meta.next_link
      }
    }
    for (let turn = 0; turn < 3; turn += 1) t.match(await ask(), { status: 200, next: undefined, member: null })
    const { etag } = await ask()
    state.total = size + 1
    const next = `${path}?offset=3`
    for (let turn = 0; turn < 3; turn += 1) t.match(await ask(), { status: 200, next, member: says ? next : null })
    t.match(await ask({ 'If-None-Match': etag }), { status: says ? 200 : 304, next }, 'a 304 has the new link')
  })
}

t.test('the result of a tool says what the next page is, as its schema declares', async t => {
  const { generation } = await numbers(t, { next_link: false })
  const tool = toolsOf(generation.registry).find(({ surface: { id } }) => id === 'numbers')!
  const ask = compileAsk(() => generation, noopTracer)(planRequest('/asking'))
  const call = async (args: JsonObject) =>
    (await callTool(tool, args, { caller: anonymous, ask, language: english })).structuredContent ?? {}
  const schema = outputSchemaOf(tool, tool.surface.output)
  t.match(schema, { properties: { next_page: { type: 'string' } } })
  const first = await call({})
  t.equal(first['next_page'], `${path}?offset=3`)
  t.same(compileSchema(schema)(first), [])
  t.notOk('next_page' in (await call({ offset: 6 })), 'the last page')
})
