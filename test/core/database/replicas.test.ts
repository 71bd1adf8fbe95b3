// test: long. A primary and two streaming standbys, from Debian's package; the standbys behind one address.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { Text } from '../../../core/contract/shapes.ts'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase, type Database } from '../../../core/database/database.ts'
import { openAccounts } from '../../../surfaces/people/open.ts'
import { importInto } from '../../support/bundled.ts'
import { eventually } from '../../support/eventually.ts'
import { faultProxy } from '../../support/fault-proxy.ts'
import { migrate } from '../../support/migrations.ts'
import { noPostgres, startReplicated, type TestServer } from '../../support/postgres.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const addressOf = (port: number): string => `postgres://pantry@127.0.0.1:${port}/pantry`
const away = { code: 'SOURCE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } }

async function open(t: Test, url: string, readUrl: string): Promise<Database> {
  const database = await openDatabase({ url, readUrl, dataDir: '', log: silent, checkRows: true, isPatient: true })
  t.teardown(() => database.close())
  return database
}

/** Functions that give the port a statement, and a lookup, has reached. */
function asking(database: Database) {
  const ports = database.reader.createLoader({
    name: 'port',
    sql: 'select unnest($1::text[]), inet_server_port()::text',
    columns: [Text, Text],
    keyOf: ([key]) => key
  })
  return {
    statement: async (): Promise<number> =>
      (await database.reading.raw<{ rows: { port: number }[] }>('select inet_server_port() as port')).rows[0]?.port ??
      0,
    lookup: async (key = 'x'): Promise<number> => Number((await ports.load(key))?.[1])
  }
}

async function untilFollowed(primary: TestServer, standbys: readonly TestServer[]): Promise<void> {
  const [at] = await primary.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
  for (const one of standbys)
    await eventually(async () => {
      const [row] = await one.query<{ has: boolean }>(`select pg_last_wal_replay_lsn() >= '${at?.at}' as has`)
      assert.ok(row?.has)
    }, 60)
}

t.test('a primary, and standbys behind one address', { skip: noPostgres }, async t => {
  const { primary, standbys } = await startReplicated(t, 2)
  const [near, far] = standbys as [TestServer, TestServer]
  const setUp = await openDatabase({ url: primary.url, dataDir: '', log: silent })
  await migrate(setUp.bulk)
  await setUp.bulk.raw('create table notes (id int primary key)')
  await setUp.close()
  await importInto(primary.url)
  await untilFollowed(primary, standbys)

  let [places, at] = [[near, far] as readonly TestServer[], 0]
  const proxy = await faultProxy(t, () => ({ host: '127.0.0.1', port: places[(at += 1) % places.length]?.port ?? 0 }))
  const reads = addressOf(proxy.port)
  const database = await open(t, primary.url, reads)
  const { inSnapshot } = database
  assert.ok(inSnapshot)
  const { statement, lookup } = asking(database)

  await t.test('what only reads goes to a standby, and what writes to the primary', async t => {
    const ports = standbys.map(({ port }) => port)
    await eventually(async () => {
      t.ok(ports.includes(await lookup()))
    })
    t.ok(ports.includes(await statement()))
    t.match(await database.knex.raw('select inet_server_port() as port'), { rows: [{ port: primary.port }] })
    t.match(await database.health(), { status: 'ok', isWritable: true })
    await t.rejects(database.reading.raw('insert into notes values (-1)'), { code: 'SOURCE_UNAVAILABLE', status: 503 })
  })

  await t.test('a snapshot is read from one server and of one moment, whatever is read at once', async t => {
    for (let round = 0; round < 12; round += 1) {
      await inSnapshot(async () => {
        const before = await database.reading('notes').select('id')
        await primary.query(`insert into notes values (${round})`)
        await untilFollowed(primary, standbys)
        const found = await Promise.all([statement(), lookup(), lookup('y'), inSnapshot(statement), lookup()])
        t.equal(new Set(found).size, 1)
        t.same(await lookup('nothing has a \0'), NaN, 'a key that no row can have is not found')
        t.same(await database.reading('notes').select('id'), before, 'what was committed since is not seen')
      })
    }
    t.equal((await database.reading('notes').select('id')).length, 12)
    await t.rejects(
      async () =>
        await inSnapshot(async () => {
          await database.reading.raw('select from nowhere')
        }),
      /nowhere/,
      'an error is passed on'
    )
    const seen = new Set<unknown>()
    // As many at once as there are connections, of which two may lead to one server; one too many reads nothing.
    for (let round = 0; round < 10; round += 1)
      for (const one of await Promise.all(Array.from({ length: 6 }, async () => await inSnapshot(lookup))))
        if (one !== undefined) seen.add(one)
    t.equal(seen.size, 2, 'every connection comes back, and both servers were read')
  })

  await t.test('what goes wrong in a snapshot stays in it', async t => {
    let late: Promise<unknown> = Promise.resolve()
    for (let round = 0; round < 12; round += 1)
      await inSnapshot(() => {
        late = sleep(20).then(() => database.reading.raw('select 1'))
        return lookup()
      })
    await late
    t.equal(
      await inSnapshot(async () => {
        await database.reading.raw('select from nowhere').catch(() => undefined)
        await t.rejects(lookup(), /nowhere/, 'after an error nothing is read')
        return 'caught'
      }),
      'caught'
    )
    const free: (() => void)[] = []
    const held = Array.from({ length: 3 }, () => inSnapshot(() => new Promise<void>(resolve => free.push(resolve))))
    await eventually(() => {
      assert.equal(free.length, 3)
    })
    t.equal(inSnapshot(lookup), undefined, 'no more than three are read at once')
    t.same(await Promise.all(Array.from({ length: 20 }, statement)).then(ports => ports.length), 20, 'others are read')
    for (const end of free) end()
    for (const one of held) await one
    t.ok(await inSnapshot(lookup))
  })

  await t.test('an answer that is kept never has older rows than its version', async t => {
    const { get } = await serveGeneration(
      t,
      await generationOf(t, ['.'], { databaseUrl: primary.url, databaseReadUrl: reads })
    )
    const path = '/api/v1/universal/set/op01'
    const nameOf = async (): Promise<string> => {
      const response = await get(path)
      t.equal(response.status, 200)
      return ((await response.json()) as { name: string }).name
    }
    const old = await nameOf()
    await far.query('select pg_wal_replay_pause()')
    try {
      await primary.query(`begin; update sets set name = 'Another name' where name = '${old}';
        update catalogue_state set version = gen_random_uuid(); commit`)
      await untilFollowed(primary, [near])
      const names = new Set<string>()
      // As many at once as there are connections: two may lead to one server.
      for (let round = 0; round < 60; round += 1)
        for (const name of await Promise.all(Array.from({ length: 6 }, nameOf))) names.add(name)
      t.same([...names].sort(), ['Another name', old].sort(), 'servers of both ages were read')
    } finally {
      await far.query('select pg_wal_replay_resume()')
    }
    await untilFollowed(primary, standbys)
    for (let round = 0; round < 20; round += 1) t.equal(await nameOf(), 'Another name')
  })

  await t.test('people and the market are read where they are written', async t => {
    const { get } = await serveGeneration(
      t,
      await generationOf(t, ['.'], { databaseUrl: primary.url, databaseReadUrl: reads })
    )
    for (const one of standbys) await one.query('select pg_wal_replay_pause()')
    try {
      const { people, signIn } = openAccounts(database, 'http://127.0.0.1:8080').services
      const { id } = await people.add('collector', [])
      const session = await signIn.withCode('collector', await signIn.issueCode(id))
      const headers = {
        Cookie: `pantry_session=${session?.secret ?? ''}`,
        Origin: 'http://127.0.0.1:8080',
        'Content-Type': 'application/json'
      }
      const made = await get('/api/auctions', {
        method: 'POST',
        headers,
        body: JSON.stringify({
          sku: 'op-op01-001-en',
          title: 'Zoro',
          condition: 'NM',
          auction_type: 'english',
          starting_price: 1000,
          ends_at: new Date(Date.now() + 3_600_000).toISOString()
        })
      })
      t.equal(made.status, 200)
      const { auction_id: auction } = (await made.json()) as { auction_id: string }
      t.equal((await get(`/api/auctions/${auction}`, { headers })).status, 200)
      const page = await get('/account', { headers })
      t.match(await page.text(), /collector/)
    } finally {
      for (const one of standbys) await one.query('select pg_wal_replay_resume()')
    }
  })

  await t.test('while the primary is away, the catalogue is read, also by who sends a cookie', async t => {
    const { get } = await serveGeneration(
      t,
      await generationOf(t, ['.'], { databaseUrl: addressOf(1), databaseReadUrl: reads, isAway: true })
    )
    const Cookie = `pantry_session=${'a'.repeat(43)}`
    for (const path of ['/api/v1/universal/card/op-op01-001-en', '/coverage', '/']) {
      await eventually(async () => {
        assert.equal((await get(path)).status, 200, path)
      })
      t.equal((await get(path, { headers: { Cookie } })).status, 200, path)
    }
    t.equal((await get('/account', { headers: { Cookie } })).status, 503, 'what belongs to a person is not')
  })

  await t.test(
    'a standby that dies costs what it had in work, and no more once its address leads elsewhere',
    async t => {
      places = [near]
      await proxy.set({ down: true })
      await t.rejects(statement(), away)
      await t.rejects(lookup(), away)
      t.match(await database.health(), { status: 'down', detail: /READ_URL/, isWritable: true })
      await proxy.set({})
      await eventually(async () => {
        assert.deepEqual([await statement(), await lookup()], [near.port, near.port])
      })
      const answered = Promise.allSettled(Array.from({ length: 20 }, () => statement()))
      near.signal('SIGKILL')
      for (const one of await answered) if (one.status === 'rejected') t.match(one.reason, { status: 503 })
      places = [far]
      await eventually(async () => {
        assert.deepEqual([await statement(), await lookup()], [far.port, far.port])
      })
    }
  )

  await t.test('a connection whose server takes no writes any more is dropped', async t => {
    const processOf = async (): Promise<unknown> =>
      (await database.knex.raw<{ rows: unknown[] }>('select pg_backend_pid() as process')).rows[0]
    await primary.query('alter system set default_transaction_read_only = on')
    await primary.query('select pg_reload_conf()')
    await eventually(async () => {
      const [state] = await primary.query<{ default_transaction_read_only: string }>(
        'show default_transaction_read_only'
      )
      assert.equal(state?.default_transaction_read_only, 'on')
    })
    await sleep(200)
    const before = await processOf()
    await t.rejects(database.knex('notes').insert({ id: 100 }), away)
    t.notSame(await processOf(), before)
    await primary
      .query('begin; set transaction read write; alter system reset default_transaction_read_only; commit')
      .catch(() => undefined)
  })
})
