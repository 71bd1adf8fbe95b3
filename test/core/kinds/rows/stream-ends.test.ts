// test: long, alone. It opens as many streams as a process may have, and stops its clock.
// How a stream ends: whole, cut by a fault, left by its client, or because it takes too long.
import { once } from 'node:events'
import { createServer, get as request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { beginAnswer } from '../../../../bin/ask.ts'
import { SurfaceApp } from '../../../../core/http/server.ts'
import { eventually } from '../../../support/eventually.ts'
import { serveGeneration } from '../../../support/serve-root.ts'
import { addPlaces, begin, bodyOf, most, path, perStatement, serveManyPlaces } from './many-places.ts'

const { database, faults, generation, batches, served } = await serveManyPlaces(t)
const chained = await serveGeneration(t, generation, { direct: false })
const all = `${path}?all=true&format=ndjson`
const batchesOfAll = most / perStatement

/** Waits until no further rows are read. */
const rest = (): Promise<void> =>
  eventually(async () => {
    const before = batches.length
    await sleep(200)
    if (batches.length !== before) throw new Error('rows are still read')
  })

/** Opens as many streams as there may be, which proves that none is left open. */
async function openMost(): Promise<readonly IncomingMessage[]> {
  const opened: IncomingMessage[] = []
  await eventually(async () => {
    while (opened.length < 3) {
      const answer = await begin(served, all)
      if (answer.statusCode !== 200) {
        answer.destroy()
        throw new Error('too many are open')
      }
      opened.push(answer)
    }
  })
  return opened
}

/** Proves that no stream is left open, and waits until the server has seen its clients leave. */
async function leaveNone(): Promise<void> {
  for (const answer of await openMost()) answer.destroy()
  await rest()
}

t.test('what is read waits for the client: no more than two batches are in memory', async t => {
  let [read, taken, peak] = [batches.length, 0, 0]
  const { stream } = await beginAnswer(generation, { method: 'GET', url: all, headers: {} })
  const whole = Buffer.byteLength(await bodyOf(await begin(served, all)))
  t.ok(whole > 15_000_000, `${whole} bytes in all`)
  await rest()
  t.ok(batches.length - read - batchesOfAll <= 2, 'nobody reads, so at most two batches are read')
  read += batchesOfAll
  for await (const part of stream ?? []) {
    peak = Math.max(peak, ((batches.length - read) * whole) / batchesOfAll - taken)
    taken += (part as Buffer).length
    await sleep(1)
  }
  t.equal(taken, whole)
  t.equal(batches.length - read, batchesOfAll)
  t.ok(peak < (2.5 * whole) / batchesOfAll, `at most ${peak} of ${whole} bytes were read and not taken`)
})

t.test('a client that leaves ends the reading', async t => {
  for (const one of [served, chained])
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const read = batches.length
      const answer = await begin(one, all, headers)
      answer.destroy()
      await rest()
      t.ok(batches.length - read < batchesOfAll, `${batches.length - read} of ${batchesOfAll} batches`)
    }
  await leaveNone()
  t.same(faults, [], 'which is no fault')
})

t.test('a client that leaves before the answer begins ends it as well', async t => {
  for (const one of [served, chained]) {
    const read = batches.length
    await database.bulk.transaction(async lock => {
      await lock.raw('lock table places in access exclusive mode')
      const asked = request(one.url + all, { agent: false }).on('error', () => undefined)
      await sleep(200)
      asked.destroy()
      await sleep(100)
    })
    await rest()
    t.ok(batches.length - read <= 2, `${batches.length - read} batches`)
    await leaveNone()
  }
  t.same(faults, [])
})

t.test('a fault in the middle cuts the answer, and the log names the surface', async t => {
  for (const one of [served, chained])
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const answer = await begin(one, `${all}&fields=name,notes,has_harbour`, headers)
      t.equal(answer.statusCode, 200)
      await database.bulk.raw('alter table places rename column has_harbour to harbour')
      t.ok((await bodyOf(answer)) === 'cut')
      await database.bulk.raw('alter table places rename column harbour to has_harbour')
      t.match(faults.splice(0), [{ message: 'The stream of `places` was cut.', cause: { message: /not as it is/ } }])
    }
  await leaveNone()
})

t.test('a fault at the first rows is an answer of its own', async t => {
  await database.bulk.raw('alter table places rename column has_harbour to harbour')
  for (const one of [served, chained]) t.equal((await one.get(all)).status, 503)
  await database.bulk.raw('alter table places rename column harbour to has_harbour')
  t.same(faults, [])
})

t.test('rows that come meanwhile end the answer at the most', async t => {
  const answer = await begin(served, all)
  await addPlaces(database, most + 1, most + 4_000)
  t.ok((await bodyOf(answer)) === 'cut')
  t.match(faults.splice(0), [{ cause: { message: 'Rows were added meanwhile: there are more than 6000.' } }])
  await database.bulk.raw('delete from places where id > ?', [most])
})

t.test('few streams are open at once, and other requests are answered meanwhile', async t => {
  const [first, ...others] = await openMost()
  for (const one of [served, chained]) {
    const refused = await one.get(all)
    t.equal(refused.status, 503)
    t.equal(refused.headers.get('retry-after'), '10')
    t.match(await refused.json(), { error: { code: 'SOURCE_UNAVAILABLE', details: { subsystem: 'streams' } } })
    t.equal((await one.get(all, { method: 'HEAD' })).status, 200, 'HEAD takes no place')
    t.equal((await one.get(`${path}?limit=100&format=csv`)).status, 200)
  }
  t.ok(first !== undefined && (await bodyOf(first)).endsWith('}\n'), 'one that has waited is whole')
  for (const answer of [...others, ...(await openMostAfter(others))]) answer.destroy()
})

/** Opens one more stream, beside those that are open. */
const openMostAfter = (others: readonly IncomingMessage[]): Promise<readonly IncomingMessage[]> =>
  eventually(async () => {
    const answer = await begin(served, all)
    if (answer.statusCode === 200) return [answer]
    answer.destroy()
    throw new Error(`beside ${others.length} there is no place`)
  })

t.test('a stream that takes too long is cut', async t => {
  await rest()
  mock.timers.enable({ apis: ['setTimeout'] })
  const { stream } = await beginAnswer(generation, { method: 'GET', url: all, headers: {} })
  mock.timers.tick(599_999)
  t.equal(stream?.destroyed, false)
  mock.timers.tick(1)
  mock.timers.reset()
  t.equal(stream?.destroyed, true)
  t.match(faults.splice(0), [{ cause: { message: 'It took longer than 600 seconds.' } }])
  await leaveNone()
})

t.test('the log and the metrics hear of it once, when it has ended', async t => {
  for (const direct of [true, false]) {
    const seen: unknown[] = []
    const observers = [
      ({ status, surface }: { status: number; surface: { id: string } | undefined }) => {
        seen.push([surface?.id, status])
      }
    ]
    const app = new SurfaceApp({ generation, direct, observers })
    app.silent = true
    const server = createServer((req, res) => void handler(req, res))
    const handler = app.callback()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => {
      server.close().closeAllConnections()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await begin({ url }, all)
    await rest()
    t.same(seen, [])
    await bodyOf(answer)
    await eventually(() => {
      if (seen.length === 0) throw new Error('not seen yet')
    })
    t.same(seen, [['places', 200]])
  }
})
