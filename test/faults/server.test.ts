// test: faults. A database that dies, is full, locked or read-only, many times.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Text } from '../../core/contract/shapes.ts'
import { silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { testDatabase } from '../support/database.ts'
import { query, startServer } from '../support/embedded.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/same-answers.ts'
import { scratchFolder } from '../support/scratch.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

const pause = { status: 503, code: 'SOURCE_UNAVAILABLE' }

const echoOf = ({ reader }: Database): ((key: string) => Promise<readonly unknown[] | undefined>) =>
  reader.createLoader({ name: 'echo', sql: 'select unnest($1::text[])', columns: [Text], keyOf: ([key]) => key }).load

/** Ends every connection but the one that asks. */
const endOthers = ({ bulk }: Database): Promise<unknown> =>
  bulk.raw(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  )

async function settled(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => 'done',
    (error: unknown) => error
  )
}

t.test(
  'a server that is killed at once, in the middle of statements, loses no acknowledged row and hangs no caller',
  async t => {
    const server = await startServer(t, scratchFolder(t))
    await query(server, 'create table kept (value integer primary key)')
    const { host, port, user, database: name } = server.connection
    const database = await openDatabase({
      url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`,
      dataDir: '',
      log: silent
    })
    t.teardown(() => database.close())
    const acknowledged: number[] = []
    let next = 0
    let refused = 0
    for (let round = 0; round < 20; round += 1) {
      const pid = server.pid()
      let isOver = false
      const writers = Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const value = next++
          const outcome = await settled(
            database.knex.transaction(async transaction => {
              await transaction.raw('insert into kept values (?)', [value * 2])
              await transaction.raw('insert into kept values (?)', [value * 2 + 1])
            })
          )
          if (outcome === 'done') acknowledged.push(value)
          else {
            refused += 1
            t.match(outcome, pause)
            await sleep(20)
          }
        }
      })
      await sleep(50 + 37 * (round % 7))
      process.kill(pid, round % 2 === 0 ? 'SIGQUIT' : 'SIGKILL')
      await eventually(() => {
        if (server.pid() === pid) throw new Error('not started again')
      })
      await eventually(() => database.knex.raw('select 1'))
      isOver = true
      await Promise.all(writers)
    }
    const rows = (await query(server, 'select value from kept order by value')).map(({ value }) => Number(value))
    const held = new Set(rows)
    t.same(
      acknowledged.filter(value => !held.has(value * 2)),
      [],
      `all of ${acknowledged.length} acknowledged transactions are there, ${refused} were refused`
    )
    t.same(
      rows.filter(value => !held.has(value ^ 1)),
      [],
      'none is torn'
    )
    t.ok(acknowledged.length > 100 && refused > 0)
  }
)

t.test('connections that the server ends are no matter while idle, and a typed answer while in use', async t => {
  const { database } = await testDatabase(t)
  const load = echoOf(database)
  let idle = 0
  for (let round = 0; round < 60; round += 1) {
    await Promise.all([eventually(() => load(`a${round}`)), eventually(() => database.knex.raw('select 1'))])
    await endOthers(database)
    // The server's word that it ended the connection is on its way. A statement that is sent before it comes is refused
    // like any other.
    await sleep(50)
    const outcome = await settled(database.knex.raw('select 1'))
    if (outcome === 'done') idle += 1
    else t.match(outcome, pause)
    const busy = Promise.all([settled(database.knex.raw('select pg_sleep(0.5)')), eventually(() => load(`b${round}`))])
    await sleep(15)
    await endOthers(database)
    t.match((await busy)[0], pause)
  }
  t.ok(idle > 50, `the statement after an idle end works, ${idle} times of 60`)
})

t.test('a full pool answers at once, and requests that need no connection are answered as ever', async t => {
  const { url } = await bundledDatabase(t)
  const faults: unknown[] = []
  const generation = await generationOf(t, ['.'], { databaseUrl: url, faults, isPatient: false })
  const served = await serveGeneration(t, generation)
  const blocking = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(() => blocking.close())
  const search = '/api/v1/search/cards?game=op&q=luffy'
  t.equal((await ask(served, search)).status, 200)
  // A statement that waits for a lock keeps its connection for a second.
  const lock = await blocking.bulk.transaction()
  await lock.raw('lock table cards, sets, games in access exclusive mode')
  for (let round = 0; round < 5; round += 1) {
    const searches = Array.from({ length: 20 }, () => served.get(search, { signal: AbortSignal.timeout(10_000) }))
    const post = (body: string, type = 'application/json'): Promise<Response> =>
      served.get('/api/v1/identify', { method: 'POST', body, headers: { 'Content-Type': type } })
    const others = await Promise.all([
      served.get('/api/v1/nothing'),
      post('{'),
      post('{}', 'text/plain'),
      post(' '.repeat(2 ** 20)),
      served.get('/api/v1/')
    ])
    t.same(
      others.map(({ status }) => status),
      [404, 400, 415, 413, 200]
    )
    for (const answer of await Promise.all(searches)) {
      t.equal(answer.status, 503)
      t.ok(Number(answer.headers.get('retry-after')) > 0, 'Retry-After')
      await answer.body?.cancel()
    }
  }
  await lock.rollback()
  t.equal((await eventually(() => ask(served, search))).status, 200)
  t.same(faults, [])
})

t.test('a server that turns read-only is read, refuses writes in words, and is written to again', async t => {
  const { database } = await testDatabase(t)
  await database.bulk.raw('create table kept (value integer)')
  const turn = async (mode: 'on' | 'off'): Promise<void> => {
    const {
      rows: [row]
    } = await database.bulk.raw<{ rows: { name: string }[] }>('select current_database() as name')
    await database.bulk.raw(
      'begin; set transaction read write; alter database ?? set default_transaction_read_only = ??; commit',
      [row?.name ?? '', mode]
    )
    await endOthers(database)
    // The pool of long work has a connection of before as well: the one that asked.
    await settled(database.bulk.raw('select pg_terminate_backend(pg_backend_pid())'))
  }
  for (let round = 0; round < 10; round += 1) {
    await turn('on')
    t.ok(await eventually(() => database.knex.raw('select 1')))
    t.match(await settled(database.knex.raw('insert into kept values (1)')), { ...pause, message: /read-only/ })
    await turn('off')
    t.ok(await eventually(() => database.knex.raw('insert into kept values (1)')))
  }
  t.same((await database.bulk.raw<{ rows: object[] }>('select count(*)::int as rows from kept')).rows, [{ rows: 10 }])
})

t.test(
  'a lock, a deadlock, a conflict and a statement that is cancelled are typed, and nothing is repeated',
  async t => {
    const { database } = await testDatabase(t)
    const { knex, bulk } = database
    await bulk.raw('create table kept (id integer primary key, value integer); insert into kept values (1, 0), (2, 0)')
    for (let round = 0; round < 20; round += 1) {
      const [first, second] = await Promise.all([bulk.transaction(), bulk.transaction()])
      await first.raw('update kept set value = value + 1 where id = 1')
      await second.raw('update kept set value = value + 1 where id = 2')
      const outcomes = await Promise.all([
        settled(first.raw('update kept set value = value + 1 where id = 2')),
        settled(second.raw('update kept set value = value + 1 where id = 1'))
      ])
      t.match(
        outcomes.find(outcome => outcome !== 'done'),
        { ...pause, cause: { code: '40P01' } }
      )
      await Promise.all([first.rollback(), second.rollback()])

      const [one, other] = await Promise.all([
        bulk.transaction({ isolationLevel: 'serializable' }),
        bulk.transaction({ isolationLevel: 'serializable' })
      ])
      for (const each of [one, other]) await each.raw('select sum(value) from kept')
      await one.raw('update kept set value = value + 1 where id = 1')
      await one.commit()
      t.match(await settled(other.raw('update kept set value = value + 1 where id = 1')), {
        ...pause,
        cause: { code: '40001' }
      })
      await other.rollback()
    }
    const lock = await bulk.transaction()
    await lock.raw('lock table kept in access exclusive mode')
    t.match(await settled(knex.raw('select * from kept')), { ...pause, cause: { code: '57014' } })
    await lock.rollback()
    t.same(
      (await knex.raw<{ rows: object[] }>('select value from kept order by id')).rows,
      [{ value: 20 }, { value: 0 }],
      'each was done once'
    )
  }
)
