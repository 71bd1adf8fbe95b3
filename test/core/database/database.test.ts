import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import t from 'tap'
import { Text } from '../../../core/contract/shapes.ts'
import { silent } from '../../../core/database/connection.ts'
import { commit, type Transaction } from '../../../core/database/copy.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { startEmbedded } from '../../../core/database/embedded.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'

// Servers are started, and limits of seconds waited for.

const pause = { status: 503, code: 'SOURCE_UNAVAILABLE' }

t.test('values arrive as JSON can hold them', async t => {
  const {
    database: { knex }
  } = await testDatabase(t)
  const { rows } = await knex.raw<{
    rows: unknown[]
  }>(`select 9007199254740991::int8 exact, 9007199254740993::int8 beyond, date '2024-02-29' as day,
    timestamptz '2024-02-29 23:59:59.5+01' as moment, 'infinity'::timestamptz as never, '{"a":[1]}'::jsonb as json, array['x','y'] as list`)
  t.same(rows, [
    {
      exact: 9007199254740991,
      beyond: '9007199254740993',
      day: '2024-02-29',
      moment: '2024-02-29T22:59:59.500Z',
      never: 'infinity',
      json: { a: [1] },
      list: ['x', 'y']
    }
  ])
})

t.test('a request cannot hold the database for long, an import can', async t => {
  const {
    database: { knex, bulk }
  } = await testDatabase(t, 'migrated', { isPatient: false })
  await t.rejects(knex.raw('select pg_sleep(3)'), pause)
  t.ok(await knex.raw('select 1'))
  t.ok(await bulk.raw('select pg_sleep(2)'))
})

t.test('a transaction that the server undid is not taken for one that was committed', async t => {
  const {
    database: { knex }
  } = await testDatabase(t, 'empty')
  await t.rejects(
    knex.transaction(async transaction => {
      await transaction.raw("select 'x'::integer").catch(() => undefined)
    }),
    /The transaction was undone/
  )
})

t.test(
  'errors of queries, also inside transactions, never carry the statement when they are meant for callers',
  async t => {
    const {
      database: { knex }
    } = await testDatabase(t)
    await t.rejects(knex('cards').where('sku', 'a\0b'), { status: 400, message: /^((?!select).)*$/ })
    await t.rejects(
      knex.transaction(trx => trx('cards').where('set_id', '99999999999999')),
      { code: 'INVALID_INPUT' }
    )
    await t.rejects(knex('absent'), { code: '42P01' }, 'a mistake of ours keeps its code')
  }
)

t.test('a commit that fails is told', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  await bulk.raw('create table kept (value integer unique deferrable initially deferred)')
  const transaction = await bulk.transaction()
  await transaction.raw('insert into kept values (1), (1)')
  await t.rejects(commit(transaction), { code: '23505' })
  t.same(await bulk('kept'), [])
})

t.test('a full pool answers instead of waiting', async t => {
  const {
    database: { knex }
  } = await testDatabase(t, 'migrated', { isPatient: false })
  const held: Transaction[] = []
  // A busy machine may take longer for a connection than a request waits.
  while (held.length < 6) held.push(await eventually(() => knex.transaction()))
  await t.rejects(knex.raw('select 1'), pause)
  await Promise.all(held.map(trx => trx.rollback()))
  t.ok(await knex.raw('select 1'))
})

t.test('a server that is not there yet is reported, and used as soon as it is', async t => {
  const folder = scratchFolder(t)
  const server = await startEmbedded({ dataDir: folder, log: silent })
  const { host, port, user, database: name } = server.connection
  await server.stop()
  const database = await openDatabase({
    url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`,
    dataDir: '',
    log: silent
  })
  t.teardown(() => database.close())
  const loader = database.reader.createLoader({
    name: 'echo',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })
  t.match(await database.health(), { status: 'down' })
  await t.rejects(database.knex.raw('select 1'), pause)
  await t.rejects(loader.load('a'), pause)
  const again = await startEmbedded({ dataDir: folder, log: silent })
  t.teardown(() => again.stop())
  t.same(await eventually(() => loader.load('a')), ['a'])
  t.match(await database.health(), { status: /ok|degraded/ })
})

t.test('a server that hangs costs a typed answer, and the next query after it works', async t => {
  const database = await openDatabase({ dataDir: scratchFolder(t), log: silent })
  t.teardown(() => database.close())
  const loader = database.reader.createLoader({
    name: 'echo',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })
  t.same(await eventually(() => loader.load('a')), ['a'])
  await database.knex.raw('select 1')
  // The reader opens its second connection in its own time.
  const rows = await eventually(async () => {
    const found = await database.bulk.raw<{ rows: { pid: number }[] }>(
      "select pid from pg_stat_activity where application_name = 'pantry' and pid <> pg_backend_pid()"
    )
    assert.ok(found.rows.length >= 3)
    return found.rows
  })
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of rows) process.kill(pid, name)
  }
  signal('SIGSTOP')
  const [read, asked] = await Promise.allSettled([loader.load('b'), database.knex.raw('select 1')])
  t.match(read, { reason: pause })
  t.match(asked, { reason: pause })
  t.ok(await database.knex.raw('select 1'), 'the dead connection is not used again, although it still hangs')
  t.same(await eventually(() => loader.load('b')), ['b'])
  signal('SIGCONT')
  t.ok(await database.knex.raw('select 1'))
})

t.test('a server that lets nobody in and says nothing costs a typed answer', async t => {
  const sockets = new Set<Socket>()
  const mute = createServer(socket => {
    sockets.add(socket)
  }).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    mute.close()
  })
  const database = await openDatabase({
    url: `postgresql://nobody@127.0.0.1:${(mute.address() as AddressInfo).port}/none`,
    dataDir: '',
    log: silent
  })
  t.teardown(() => database.close())
  for (const answer of await Promise.allSettled([1, 2, 3].map(() => database.knex.raw('select 1'))))
    t.match(answer, { status: 'rejected', reason: pause })
})

t.test('connections that the server ends are replaced', async t => {
  const {
    database: { knex, bulk, reader }
  } = await testDatabase(t)
  const loader = reader.createLoader({
    name: 'echo',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })
  await loader.load('a')
  await knex.raw('select 1')
  await bulk.raw(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  )
  t.same(await eventually(() => loader.load('a')), ['a'])
  t.ok(await eventually(() => knex.raw('select 1')))
})
