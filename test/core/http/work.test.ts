import t from 'tap'
import { Work } from '../../../core/http/work.ts'
import { eventually } from '../../support/eventually.ts'
import { holding } from './holding.ts'

type Answer = Readonly<{ status: number }>

/** A clock that a test sets, and answers that it gives when it likes. */
function worked (): { work: Work, pass: (milliseconds: number) => void, begin: () => (status?: number) => Promise<Answer> } {
  let now = 0
  const work = new Work(() => now)
  return {
    work,
    pass: milliseconds => { now += milliseconds },
    begin: () => {
      let answer: (found: Answer) => void = () => undefined
      const counted = work.count(new Promise<Answer>(resolve => { answer = resolve }))
      return (status = 200) => {
        answer({ status })
        return counted
      }
    }
  }
}

t.test('as many requests wait as can be answered in time', async t => {
  const { work, pass, begin } = worked()
  const waiting = Array.from({ length: 40 }, () => begin())
  t.notOk(work.isFull(), 'nothing is known of them')
  for (let number = 0; number < 30; number += 1) {
    pass(10)
    await waiting.shift()?.()
  }
  t.equal(waiting.length, 10)
  t.ok(!work.isFull(), 'ten of 10 ms: 100 ms')
  for (let number = 0; number < 5; number += 1) waiting.push(begin())
  t.notOk(work.isFull(), 'fifteen: 150 ms')
  waiting.push(begin())
  t.ok(work.isFull(), 'sixteen: 160 ms')
  pass(1_001)
  t.notOk(work.isFull(), 'the last answer that was late is long ago')
})

t.test('many that are answered quickly are no queue, and a slow one beside them is none', async t => {
  const { work, pass, begin } = worked()
  const slow = begin()
  for (let turn = 0; turn < 100; turn += 1) {
    const many = Array.from({ length: 200 }, () => begin())
    pass(4)
    for (const answer of many) await answer()
  }
  await slow()
  Array.from({ length: 200 }, () => begin())
  t.notOk(work.isFull())
})

t.test('a few are let in however slow they are; time without work is no work, and failures are no answers', async t => {
  const { work, pass, begin } = worked()
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = begin()
    pass(3_000)
    await answer()
    pass(100_000)
  }
  const nine = Array.from({ length: 9 }, () => begin())
  t.notOk(work.isFull())
  nine.push(begin())
  pass(200)
  await nine.pop()?.()
  nine.push(begin())
  t.ok(work.isFull(), 'the tenth')
  for (const answer of nine) await answer(503)
  pass(10)
  Array.from({ length: 10 }, () => begin())
  t.ok(work.isFull(), 'that they failed at once says nothing of the next')
})

for (const direct of [true, false]) {
  t.test(`while too many wait, one more is refused at once, and everything else is answered (${direct ? 'directly' : 'through Koa'})`, async t => {
    const { held, ask, pass, probes, waitFor } = await holding(t, direct)
    const first = ask('/api/v1/held')
    await waitFor(1)
    pass(200)
    held.pop()?.()
    t.equal((await first).status, 200)

    const waiting = Array.from({ length: 10 }, () => ask('/api/v1/held'))
    await waitFor(10)
    pass(100)
    for (const [path, init] of [['/api/v1/held', {}], ['/api/v1/held?density=full', { headers: { Accept: 'text/html' } }], ['/api/v1/told', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }]] as const) {
      const refused = await ask(path, init)
      t.equal(refused.status, 503)
      t.equal(refused.headers.get('retry-after'), '1')
      t.equal(refused.headers.get('cache-control'), 'no-store')
      t.match(await refused.json(), { data: null, error: { code: 'SOURCE_UNAVAILABLE', status: 503, details: { subsystem: 'process' } }, _meta: { request_id: /^req_/ } })
    }
    t.equal(held.length, 10, 'none of them began')
    t.same(await probes(), [200, 200, 200, 200])
    for (const path of ['/api/v1/library/books', '/api/v1/health', '/api/openapi.json']) t.equal((await ask(path)).status, 200, path)
    t.equal((await ask('/api/v1/nothing')).status, 404)

    for (const release of held.splice(0)) release()
    for (const answer of waiting) t.equal((await answer).status, 200)
    const next = ask('/api/v1/held')
    await waitFor(1)
    held.pop()?.()
    t.equal((await next).status, 200, 'all goes on')
  })
}

t.test('clients that are slow to send their bodies make nobody wait', async t => {
  const { held, ask, pass, arrived, waitFor } = await holding(t, true)
  const first = ask('/api/v1/held')
  await waitFor(1)
  pass(200)
  held.pop()?.()
  await first
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const slow = Array.from({ length: 10 }, () => ask('/api/v1/told', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    duplex: 'half',
    body: new ReadableStream<Uint8Array>({ start: controller => { streams.push(controller); controller.enqueue(Buffer.from('{')) } })
  }))
  await arrived(11)
  pass(100)
  const quick = ask('/api/v1/held')
  await waitFor(1)
  held.pop()?.()
  t.equal((await quick).status, 200)
  for (const stream of streams) {
    stream.enqueue(Buffer.from('}'))
    stream.close()
  }
  await waitFor(10)
  for (const release of held.splice(0)) release()
  for (const answer of slow) t.equal((await answer).status, 200)
})

t.test('whoever held a body back is refused as well while too many wait', async t => {
  const { held, ask, pass, rested, arrived, waitFor } = await holding(t, true)
  let send = (): void => undefined
  const told = ask('/api/v1/told', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    duplex: 'half',
    body: new ReadableStream<Uint8Array>({ start: controller => {
      controller.enqueue(Buffer.from('{'))
      send = () => {
        controller.enqueue(Buffer.from('}'))
        controller.close()
      }
    } })
  })
  await arrived(1)
  const first = ask('/api/v1/held')
  await waitFor(1)
  pass(200)
  held.pop()?.()
  await first
  const waiting = Array.from({ length: 10 }, () => ask('/api/v1/held'))
  await waitFor(10)
  pass(100)
  send()
  const refused = await told
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  t.equal(held.length, 10, 'it did not begin')
  await eventually(() => { if (rested() === 0) throw new Error('its connection is read on') })
  for (const release of held.splice(0)) release()
  for (const answer of waiting) t.equal((await answer).status, 200)
})
