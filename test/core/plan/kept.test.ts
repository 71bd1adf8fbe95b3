import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { compilePure, compileVersioned, type Steps } from '../../../core/plan/answer.ts'
import { createMemo, memoBytes } from '../../../core/plan/choose.ts'
import { prepareBody } from '../../../core/plan/codings.ts'
import type { Result } from '../../../core/plan/kind.ts'
import type { PlanRequest } from '../../../core/plan/request.ts'

/** What an answer is made with, where the body is the data, and how often each part was called. */
function counting() {
  const calls = { write: 0, prepare: 0 }
  const steps = {
    surface: { id: 'long', route: { methods: ['GET'], placeholders: [] } },
    readInput: () => ({ params: {}, query: {}, body: undefined }),
    formatOf: () => 'json',
    languageOf: () => undefined,
    write: ({ data }: Result) => {
      calls.write += 1
      return { mediaType: 'text/plain', pieces: [data as string], etag: () => '"x"' }
    },
    presenter: {
      prepare: ({ status }: Result, text: Parameters<typeof prepareBody>[0]) => {
        calls.prepare += 1
        const body = prepareBody(text)
        return { status, control: '', head: '', unchanged: '', etag: undefined, vary: [], body, bytes: body.bytes }
      },
      once: () => ({ status: 200, head: '', body: 'once', encoding: 'latin1' })
    },
    loadedAt: '',
    bound: (work: unknown) => work
  } as unknown as Steps
  return { calls, steps }
}

const request = {
  path: '/long',
  search: '',
  method: 'GET',
  headers: { 'accept-encoding': 'gzip' },
  now: new Date(),
  time: '2026-11-26T12:00:00.000Z',
  requestId: 'req_0123456789abcdef',
  rate: { limit: 60, windowSeconds: 60, remaining: 1, resetSeconds: 1 }
} as unknown as PlanRequest

const text = 'many words '.repeat(10_000)

// Other files of the same process may have filled what is kept: then most of what is new is not.
const filler = createMemo<string>()
for (let place = 0; place < 10; place += 1) filler.set(String(place), 'pushes others out', 4_000_000)
filler.clear()

t.test('all who ask for what takes long while it is made share it, with its bytes', async t => {
  const { calls, steps } = counting()
  let made = 0
  const answer = compilePure(steps, {
    when: 'slow',
    answer: async () => {
      made += 1
      await sleep(5)
      return { status: 200, data: text }
    }
  })
  const answers = await Promise.all(Array.from({ length: 50 }, async () => await answer(request)))
  t.same([made, calls.write, calls.prepare], [1, 1, 1])
  t.equal(new Set(answers.map(({ body }) => body)).size, 1, 'it is compressed once')
  t.equal((await answer(request)).body, answers[0]?.body)
  t.same([made, calls.write], [1, 1], 'and kept')
})

t.test('where it fails, who asked is told, and the next one tries again', async t => {
  const { steps } = counting()
  let made = 0
  const answer = compilePure(steps, {
    when: 'slow',
    answer: async () => {
      await sleep(1)
      if ((made += 1) === 1) throw new Error('no harbour')
      return { status: 200, data: text }
    }
  })
  t.same(
    (await Promise.allSettled([answer(request), answer(request)])).map(({ status }) => status),
    ['rejected', 'rejected']
  )
  t.equal((await answer(request)).status, 200)
})

t.test('a large answer is found while it is compressed for the first time', async t => {
  const { calls, steps } = counting()
  const answer = compilePure(steps, { when: 'pure', answer: () => ({ status: 200, data: text }) })
  await Promise.all(Array.from({ length: 20 }, async () => await answer(request)))
  t.same([calls.write, calls.prepare], [1, 1])
})

t.test('what was compressed for an earlier version does not come back', async t => {
  const { calls, steps } = counting()
  let version = 'one'
  const answer = compileVersioned(
    steps,
    () => Promise.resolve(version),
    () => ({ status: 200, data: text })
  )
  const held = memoBytes()
  await answer(request)
  await answer(request)
  const before = answer({ ...request, headers: { 'accept-encoding': 'br' } })
  // It has begun to compress.
  await nextTurn()
  version = 'two'
  await Promise.all([before, answer(request)])
  t.equal(calls.prepare, 2)
  t.ok(memoBytes() - held < 1.5 * text.length, 'one of them is held')
})
