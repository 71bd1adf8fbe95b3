// test: long. The service over a primary and two standbys (Debian: `postgresql`), behind an address for writes and one
// for reads: the primary dies under load, a standby is promoted, and the address leads to it. Nothing is restarted.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { SurfaceError } from '../../core/handler/errors.ts'
import { importInto } from '../support/bundled.ts'
import { faultProxy } from '../support/fault-proxy.ts'
import { migrate } from '../support/migrations.ts'
import { noPostgres, startReplicated, type TestServer } from '../support/postgres.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/** Surfaces that look one key up, ask a statement, keep facts of the catalogue, and need no database. */
const paths = [
  '/api/v1/universal/card/op-op01-001-en',
  '/api/v1/universal/games',
  '/api/v1/universal/game/op',
  '/api/v1/budget',
  '/api/v1/coverage',
  '/api/v1/search/names?q=luffy',
  '/api/v1/artists',
  '/api/v1/manifest',
  '/api/v1/sources'
]
const readers = 4

t.test(
  'a promotion under load: every read is answered, no acknowledged write is lost',
  { skip: noPostgres },
  async t => {
    const { primary, standbys } = await startReplicated(t, 2)
    const [near, far] = standbys as [TestServer, TestServer]
    let written = primary
    const [writes, reads] = [
      await faultProxy(t, () => ({ host: '127.0.0.1', port: written.port })),
      await faultProxy(t, { host: '127.0.0.1', port: far.port })
    ]
    const [url, readUrl] = [writes, reads].map(({ port }) => `postgres://pantry@127.0.0.1:${port}/pantry`)
    const setUp = await openDatabase({ url: primary.url, dataDir: '', log: silent })
    await migrate(setUp.bulk)
    await setUp.bulk.raw('create table acknowledged (id int primary key)')
    await setUp.close()
    await importInto(primary.url)

    const faults: unknown[] = []
    const { get } = await serveGeneration(
      t,
      await generationOf(t, ['.'], { databaseUrl: url ?? '', databaseReadUrl: readUrl ?? '', faults })
    )
    for (const path of paths) t.equal((await get(path)).status, 200, path)

    let isOver = false
    const failed: string[] = []
    const times: number[] = []
    const read = async (from: number): Promise<void> => {
      for (let at = from; !isOver; at += 1) {
        const path = paths[at % paths.length] ?? ''
        const begun = performance.now()
        const response = await get(path)
        const body = await response.text()
        times.push(performance.now() - begun)
        if (response.status !== 200) failed.push(`${path} is ${response.status}: ${body.slice(0, 200)}`)
        await sleep(1)
      }
    }

    const writer = await openDatabase({ url, dataDir: '', log: silent })
    t.teardown(() => writer.close())
    const acknowledged: number[] = []
    const refusals: unknown[] = []
    let last = performance.now()
    let gap = 0
    const write = async (): Promise<void> => {
      for (let id = 0; !isOver; id += 1) {
        try {
          await writer.knex('acknowledged').insert({ id })
          acknowledged.push(id)
          gap = Math.max(gap, performance.now() - last)
          last = performance.now()
        } catch (error) {
          refusals.push(error)
          await sleep(20)
        }
        await sleep(2)
      }
    }

    const work = [write(), ...Array.from({ length: readers }, (_, at) => read(at))]
    await sleep(3_000)
    const before = { reads: times.length, writes: acknowledged.length }
    primary.signal('SIGKILL')
    const killed = performance.now()
    // What Patroni does: the standby that has received most is promoted. What a router does: connections to the dead
    // primary end, and new ones go to the next. The address for reads leads to one standby all the time.
    await writes.set({ down: true })
    const received = await Promise.all(
      standbys.map(async one =>
        Number((await one.query<{ bytes: string }>("select pg_last_wal_receive_lsn() - '0/0' as bytes"))[0]?.bytes)
      )
    )
    const next = (received[0] ?? 0) >= (received[1] ?? 0) ? near : far
    await next.promote()
    written = next
    await writes.set({})
    const promoted = performance.now()
    await sleep(6_000)
    const after = { reads: times.length, writes: acknowledged.length }
    await Promise.all([
      sleep(0),
      ...work.map(async one => {
        isOver = true
        await one
      })
    ])

    t.strictSame(failed, [], 'every read is answered')
    t.strictSame(faults, [])
    t.ok(after.reads > before.reads + 20 && after.writes > before.writes + 20, 'both went on')
    t.ok(
      refusals.every(
        error => error instanceof SurfaceError && error.status === 503 && error.headers['Retry-After'] === '1'
      ),
      'a write that cannot be made now says when to try again'
    )
    const held = new Set((await next.query<{ id: number }>('select id from acknowledged')).map(({ id }) => id))
    t.strictSame(
      acknowledged.filter(id => !held.has(id)),
      [],
      'no acknowledged write is lost'
    )
    const sorted = times.toSorted((a, b) => a - b)
    const part = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`
    process.stderr.write(
      `${times.length} reads, ${failed.length} failed, p50 ${part(0.5)}, p99 ${part(0.99)}, longest ${part(0.9999)}; ${acknowledged.length} writes acknowledged, ${refusals.length} refused, ` +
        `none for ${gap.toFixed(0)} ms, of which the promotion took ${(promoted - killed).toFixed(0)} ms\n`
    )
  }
)
