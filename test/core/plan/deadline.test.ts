import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import t, { type Test } from 'tap'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { eventually } from '../../support/eventually.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

const define = defineHandlerFor()
const word = Type.Object({ word: Type.String() })
const never = new Promise<never>(() => undefined)

type Surfaces = Parameters<typeof handlerGeneration>[1]

async function serve(t: Test, surfaces: Surfaces) {
  const faults: Error[] = []
  const generation = handlerGeneration(t, surfaces, {}, fault => {
    faults.push(fault as Error)
  })
  return { faults, ...(await serveGeneration(t, generation)) }
}

t.test(
  'an answer that does not come in time is a 503, its signal is aborted, and the log names the surface',
  async t => {
    const signals: AbortSignal[] = []
    const { get, faults } = await serve(t, {
      hangs: {
        path: '/api/v1/hangs',
        more: 'deadline: 1\n',
        handler: define({
          query: Type.Object({ word: Type.Optional(Type.String({ description: 'A word.' })) }),
          reply: word,
          handle: async ({ signal }) => {
            signals.push(signal)
            return await never
          }
        })
      },
      fails: {
        path: '/api/v1/fails',
        more: 'deadline: 1\n',
        handler: define({
          reply: word,
          handle: async () => {
            await sleep(1_300)
            throw new Error('too late to matter')
          }
        })
      }
    })
    const answers = await Promise.all(['hangs?word=secret', 'fails'].map(path => get(`/api/v1/${path}`)))
    for (const answer of answers) {
      t.equal(answer.status, 503)
      t.equal(answer.headers.get('retry-after'), '1')
      t.match(await answer.json(), {
        error: {
          code: 'SOURCE_UNAVAILABLE',
          message: 'The answer took longer than 1 s.',
          details: { subsystem: 'process', deadline_seconds: 1 }
        }
      })
    }
    t.strictSame(
      faults.map(({ message }) => message).sort(),
      ['fails', 'hangs'].map(id => `\`${id}\` (GET /api/v1/${id}) gave no answer within 1 s.`),
      'with the declared path, and no value of the request'
    )
    t.match(signals, [{ aborted: true, reason: { name: 'SurfaceError' } }])
    await sleep(400)
    t.equal(faults.length, 2, 'what fails later is nothing to anybody')
  }
)

t.test('the signal is aborted when the client leaves, and not when it is answered', async t => {
  const signals: AbortSignal[] = []
  const handler = define({
    query: Type.Object({ hang: Type.Optional(Type.Boolean({ description: 'Whether there is no answer.' })) }),
    reply: word,
    handle: async ({ signal, query }) => {
      signals.push(signal)
      return query.hang === true ? await never : reply({ word: 'here' })
    }
  })
  const { get } = await serve(t, { watches: { path: '/api/v1/watches', more: '', handler } })
  t.equal((await get('/api/v1/watches')).status, 200)
  const leaving = new AbortController()
  const asked = get('/api/v1/watches?hang=true', { signal: leaving.signal })
  await eventually(() =>
    signals.length === 2 ? Promise.resolve() : Promise.reject(new Error('the handler has not begun'))
  )
  leaving.abort()
  await t.rejects(asked)
  await eventually(() => (signals[1]?.aborted === true ? Promise.resolve() : Promise.reject(new Error('still waits'))))
  t.match(signals[1]?.reason, { message: 'The client has gone.' })
  t.equal(signals[0]?.aborted, false)
})

t.test('a surface that asks a late one goes on with its 503, and its own signal is not aborted', async t => {
  const signals: AbortSignal[] = []
  const inner = define({
    reply: word,
    handle: async ({ signal }) => {
      signals.push(signal)
      return await never
    }
  })
  const outer = define({
    reply: Type.Object({ status: Type.Integer() }),
    handle: async ({ ask, signal }) => {
      signals.push(signal)
      return reply({ status: (await ask('/api/v1/inner'))?.status ?? 0 })
    }
  })
  const { get } = await serve(t, {
    inner: { path: '/api/v1/inner', more: 'deadline: 1\n', handler: inner },
    outer: { path: '/api/v1/outer', more: '', handler: outer }
  })
  const answer = await get('/api/v1/outer')
  t.equal(answer.status, 200)
  t.match(await answer.json(), { data: { status: 503 } })
  t.strictSame(
    signals.map(({ aborted }) => aborted),
    [false, true],
    'that of the outer one, then that of the inner one'
  )
})
