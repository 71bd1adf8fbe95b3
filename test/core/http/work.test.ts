import t from 'tap'
import { Queue } from '../../../core/http/work.ts'
import { eventually } from '../../support/eventually.ts'
import { holding } from './holding.ts'

/** A clock that a test sets, and requests that leave a queue when it likes. */
function worked(most?: number) {
  let now = 0
  const queue = new Queue(() => now, most)
  return {
    queue,
    isFull: (client = 'one') => queue.isFull(client),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    begin: (client = 'one') => {
      const { turn, leave } = queue.enter(client)
      return Object.assign(
        (status = 200) => {
          leave(status)
        },
        { turn }
      )
    }
  }
}

t.test('as many requests wait as can be answered in time', t => {
  const { isFull, pass, begin } = worked()
  const waiting = Array.from({ length: 40 }, () => begin())
  t.notOk(isFull(), 'nothing is known of them')
  for (let number = 0; number < 30; number += 1) {
    pass(10)
    waiting.shift()?.()
  }
  t.equal(waiting.length, 10)
  t.ok(!isFull(), 'ten of 10 ms: 100 ms')
  for (let number = 0; number < 5; number += 1) waiting.push(begin())
  t.notOk(isFull(), 'fifteen: 150 ms')
  waiting.push(begin())
  t.ok(isFull(), 'sixteen: 160 ms')
  pass(1_001)
  t.notOk(isFull(), 'the last answer that was late is long ago')
  t.end()
})

t.test('many that are answered quickly are no queue, and a slow one beside them is none', t => {
  const { isFull, pass, begin } = worked()
  const slow = begin()
  for (let turn = 0; turn < 100; turn += 1) {
    const many = Array.from({ length: 200 }, () => begin())
    pass(4)
    for (const answer of many) answer()
  }
  slow()
  Array.from({ length: 200 }, () => begin())
  t.notOk(isFull())
  t.end()
})

t.test('a few are let in however slow they are; time without work is no work, and failures are no answers', t => {
  const { isFull, pass, begin } = worked()
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = begin()
    pass(3_000)
    answer()
    pass(100_000)
  }
  const nine = Array.from({ length: 9 }, () => begin())
  t.notOk(isFull())
  nine.push(begin())
  pass(200)
  nine.pop()?.()
  nine.push(begin())
  t.ok(isFull(), 'the tenth')
  for (const answer of nine) answer(503)
  pass(10)
  Array.from({ length: 10 }, () => begin())
  t.ok(isFull(), 'that they failed at once says nothing of the next')
  t.end()
})

t.test('a client with less than its share waiting is let in where another is not, up to as many again', t => {
  const { isFull, pass, begin } = worked()
  pass(1)
  const slow = begin('flood')
  pass(200)
  slow()
  for (let number = 0; number < 12; number += 1) begin('flood')
  pass(100)
  t.ok(isFull('flood'))
  t.notOk(isFull('other'), 'it has nothing waiting')
  begin('other')
  t.notOk(isFull('other'), 'of ten for two it has one')
  for (let number = 0; number < 7; number += 1) begin(`client ${number}`)
  t.ok(isFull('somebody'), 'twenty wait')
  t.end()
})

t.test('while answers are late a few are worked on, and clients take turns', async t => {
  const { queue, pass, begin } = worked()
  const waiting = Array.from({ length: 9 }, () => begin('flood'))
  t.ok(
    waiting.every(({ turn }) => turn === undefined),
    'nothing was late yet'
  )
  pass(200)
  for (const leave of waiting.slice(0, 7)) leave(503)
  const begun: string[] = []
  const next = (client: string) => {
    const visit = begin(client)
    void visit.turn?.then(() => {
      begun.push(client)
    })
    return visit
  }
  const [third, fourth] = [next('flood'), next('flood')]
  t.same([third.turn, fourth.turn, queue.isFree()], [undefined, undefined, false], 'two are left and two came: four')
  for (const client of ['flood', 'flood', 'other', 'another']) next(client)
  for (const leave of [...waiting.slice(7), third, fourth]) leave(503)
  await Promise.resolve()
  await Promise.resolve()
  t.same(begun, ['flood', 'other', 'another', 'flood'])
})

t.test('no more than a queue takes at once are worked on, also where nothing is late', async t => {
  const { begin, queue } = worked(2)
  const [first, second, third] = [begin(), begin(), begin()]
  t.same([first.turn, second.turn, queue.isFree()], [undefined, undefined, false])
  t.ok(third.turn)
  first()
  await third.turn
  t.notOk(queue.isFree())
  second()
  third()
  t.ok(queue.isFree())
})

for (const direct of [true, false]) {
  t.test(
    `while too many wait, one more is refused at once, and everything else is answered (${direct ? 'directly' : 'through Koa'})`,
    async t => {
      const { held, ask, tell, pass, probes, arrived, waitFor, releaseAll } = await holding(t, direct)
      const first = ask('/api/v1/held')
      await waitFor(1)
      pass(200)
      held.pop()?.()
      t.equal((await first).status, 200)

      const waiting = Array.from({ length: 10 }, () => ask('/api/v1/held'))
      await arrived(11)
      await waitFor(4)
      pass(100)
      for (const [path, init] of [
        ['/api/v1/held', {}],
        ['/api/v1/held?density=full', { headers: { Accept: 'text/html' } }]
      ] as const) {
        const refused = await ask(path, init)
        t.equal(refused.status, 503)
        t.equal(refused.headers.get('retry-after'), '1')
        t.equal(refused.headers.get('cache-control'), 'no-store')
        t.match(await refused.json(), {
          data: null,
          error: { code: 'SOURCE_UNAVAILABLE', status: 503, details: { subsystem: 'process' } },
          _meta: { request_id: /^req_/ }
        })
      }
      t.equal(held.length, 4, 'none of them began')
      t.same(await probes(), [200, 200, 200, 200])
      for (const path of ['/api/v1/library/books', '/api/v1/health', '/api/openapi.json'])
        t.equal((await ask(path)).status, 200, path)
      t.equal((await ask('/api/v1/nothing')).status, 404)
      const told = tell()
      await waitFor(5)
      held.pop()?.()
      t.equal((await told).status, 200, 'another surface that uses stores')

      for (const { status } of await releaseAll(waiting)) t.equal(status, 200)
      const next = ask('/api/v1/held')
      await waitFor(1)
      held.pop()?.()
      t.equal((await next).status, 200, 'all goes on')
    }
  )
}

t.test('clients that are slow to send their bodies make nobody wait', async t => {
  const { held, ask, tell, pass, arrived, waitFor, releaseAll } = await holding(t, true)
  const first = tell()
  await waitFor(1)
  pass(200)
  held.pop()?.()
  await first
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const slow = Array.from({ length: 10 }, () =>
    ask('/api/v1/told', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      duplex: 'half',
      body: new ReadableStream<Uint8Array>({
        start: controller => {
          streams.push(controller)
          controller.enqueue(Buffer.from('{'))
        }
      })
    })
  )
  await arrived(11)
  pass(100)
  const quick = tell()
  await waitFor(1)
  held.pop()?.()
  t.equal((await quick).status, 200)
  for (const stream of streams) {
    stream.enqueue(Buffer.from('}'))
    stream.close()
  }
  for (const { status } of await releaseAll(slow)) t.equal(status, 200)
})

t.test('whoever held a body back is refused as well while too many wait', async t => {
  const { held, ask, tell, pass, rested, arrived, waitFor, releaseAll } = await holding(t, true)
  let send = (): void => undefined
  const told = ask('/api/v1/told', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    duplex: 'half',
    body: new ReadableStream<Uint8Array>({
      start: controller => {
        controller.enqueue(Buffer.from('{'))
        send = () => {
          controller.enqueue(Buffer.from('}'))
          controller.close()
        }
      }
    })
  })
  await arrived(1)
  const first = tell()
  await waitFor(1)
  pass(200)
  held.pop()?.()
  await first
  const waiting = Array.from({ length: 10 }, () => tell())
  await arrived(12)
  await waitFor(4)
  pass(100)
  send()
  const refused = await told
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  t.equal(held.length, 4, 'it did not begin')
  await eventually(() => {
    if (rested() === 0) throw new Error('its connection is read on')
  })
  for (const { status } of await releaseAll(waiting)) t.equal(status, 200)
})
