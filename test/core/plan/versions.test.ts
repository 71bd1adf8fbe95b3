import Type from 'typebox'
import t, { type Test } from 'tap'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { memoBytes } from '../../../core/plan/choose.ts'
import { emptyMemo } from '../../support/empty-memo.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

/**
 * A surface that greets in the language that is asked for, where it knows one, and counts how often it is asked itself.
 */
async function greeting(t: Test) {
  emptyMemo()
  const state = { version: '1', calls: 0, versions: 0 }
  const handler = defineHandlerFor()({
    params: Type.Object({ name: Type.String({ description: 'Whom to greet.' }) }),
    query: Type.Object({ loud: Type.Optional(Type.Boolean({ default: false, description: 'Louder.' })) }),
    reply: Type.Object({ text: Type.String() }),
    version: () => {
      state.versions += 1
      return Promise.resolve(state.version)
    },
    handle: ({ params, query, headers }) => {
      state.calls += 1
      const language = String(headers['accept-language'] ?? '')
      const text = `${params.name === 'known' && language === 'de' ? 'Hallo' : 'Hello'} ${params.name} ${state.version}${query.loud === true ? '!' : ''}`
      return reply({ text }, params.name === 'known' ? { headers: { Vary: 'Accept-Language' } } : {})
    }
  })
  const more = 'examples: [{ title: One, params: { name: known } }]\n'
  const { get } = await serveGeneration(
    t,
    handlerGeneration(t, { greeting: { path: '/api/v1/greeting/{name}', more, handler } })
  )
  const ask = async (path: string, language?: string) => {
    const response = await get(
      `/api/v1/greeting/${path}`,
      language === undefined ? {} : { headers: { 'Accept-Language': language } }
    )
    return {
      text: ((await response.json()) as { data: { text: string } }).data.text,
      vary: response.headers.get('vary')
    }
  }
  return { ask, state }
}

t.test('an answer is kept when it is asked for again, until its version is another one', async t => {
  const { ask, state } = await greeting(t)
  for (const calls of [1, 2, 2, 2]) {
    t.equal((await ask('anyone', 'de')).text, 'Hello anyone 1')
    t.equal(state.calls, calls)
  }
  t.equal(state.versions, 3, 'what is asked for once needs no version')
  t.equal((await ask('anyone', 'fr')).text, 'Hello anyone 1')
  t.equal((await ask('anyone?zz=1')).text, 'Hello anyone 1')
  t.equal(state.calls, 2, 'neither a header that it does not depend on nor an undeclared parameter makes another one')
  t.equal((await ask('anyone?loud=true')).text, 'Hello anyone 1!')
  for (const name of ['a', 'b', 'a', 'b']) await ask(name)
  const before = memoBytes()
  state.version = '2'
  const { calls } = state
  t.equal((await ask('anyone')).text, 'Hello anyone 2')
  t.equal(state.calls, calls + 1)
  t.ok(memoBytes() < before, 'what was kept of the earlier version is forgotten')
})

t.test('an answer that names a header in its Vary is kept for each value of that header', async t => {
  const { ask, state } = await greeting(t)
  const inTurn = async (): Promise<void> => {
    for (const [language, word] of [
      [undefined, 'Hello'],
      ['de', 'Hallo'],
      ['fr', 'Hello'],
      ['de', 'Hallo'],
      [undefined, 'Hello']
    ] as const) {
      t.strictSame(await ask('known', language), {
        text: `${word} known ${state.version}`,
        vary: 'Accept-Encoding, Accept-Language'
      })
    }
  }
  await inTurn()
  await inTurn()
  const { calls } = state
  await inTurn()
  t.equal(state.calls, calls, 'all of them are kept')
  state.version = '2'
  await inTurn()
  t.equal(state.calls, calls + 3, 'one for each value')
})
