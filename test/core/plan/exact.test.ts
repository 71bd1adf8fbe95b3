import Type from 'typebox'
import t from 'tap'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { exactText, requireExact } from '../../../core/plan/exact.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

const half = '\ud800'

t.test('what JSON cannot hold is a fault of the surface, with its place, in every format', async t => {
  const state: { data: Readonly<{ entries: readonly Readonly<Record<string, unknown>>[] }> } = { data: { entries: [] } }
  const handler = defineHandlerFor()({
    reply: Type.Object({ entries: Type.Array(Type.Object({})) }),
    handle: () => reply(state.data)
  })
  const path = '/api/v1/exact'
  const faults: string[] = []
  const generation = handlerGeneration(
    t,
    { exact: { path, more: 'formats: [json, txt, md]', handler } },
    {},
    fault => void faults.push(String(fault))
  )
  const { get } = await serveGeneration(t, generation)
  const asked = async (value: unknown, format = 'json'): Promise<number> => {
    state.data = { entries: [{ note: null, 'a/b': value }] }
    return (await get(`${path}?format=${format}`)).status
  }
  for (const value of [1.5, 'ok', '\ud83d\ude00', '\\ud800', null, 1e308, -0, true])
    t.equal(await asked(value), 200, String(value))
  t.same(faults, [])
  for (const format of ['json', 'txt', 'md'])
    for (const [value, words] of [
      [Number.NaN, 'NaN'],
      [Infinity, 'Infinity'],
      [-Infinity, '-Infinity'],
      [`a${half}b`, 'a text with half a surrogate pair']
    ] as const) {
      t.equal(await asked(value, format), 500, `${words} as ${format}`)
      t.equal(
        faults.pop(),
        `ReplyFault: The surface \`exact\` answers with what JSON cannot hold: ${words} (at \`/entries/0/a~1b\`).`
      )
    }
})

t.test('a key, and a value that is the answer itself', t => {
  t.throws(() => exactText('one', Number.NaN), /The surface `one` .*: NaN \(at `\/`\)/)
  t.throws(() => exactText('one', { a: { [half]: 1 } }), /half a surrogate pair \(at `\/a\/\ufffd`\)/)
  t.throws(() => {
    requireExact('one', [half])
  }, /half a surrogate pair \(at `\/0`\)/)
  t.equal(exactText('one', { a: null, b: '\\ud8', c: [1, 'null'] }), '{"a":null,"b":"\\\\ud8","c":[1,"null"]}')
  t.end()
})
