import t from 'tap'
import { servingLimits, type Log } from '../../../core/database/connection.ts'
import { operatorFaultOf } from '../../../core/database/errors.ts'
import { openPool } from '../../../core/database/pool.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

const { database, url } = await testDatabase(t, 'empty')
await database.knex.raw('create table things (id int primary key)')

function poolWith(limits: Readonly<{ idle?: number; held?: number }>) {
  const errors: string[] = []
  const log: Log = { info: () => undefined, warn: () => undefined, error: message => errors.push(message) }
  const { connect, statement } = servingLimits
  const pool = openPool({ url }, { connect, statement, ...limits }, 2, log)
  t.teardown(async () => {
    await pool.destroy()
  })
  return { pool, errors }
}

t.test('a transaction that code forgets is ended by the server, and its connection can be used again', async t => {
  const { pool } = poolWith({ idle: 200 })
  const forgotten = await Promise.all([pool.transaction(), pool.transaction()])
  for (const [place, trx] of forgotten.entries()) await trx('things').insert({ id: place + 1 })
  await eventually(async () => {
    // The server ends them one after the other, each when its own time is over.
    const still = await database.knex.raw<{ rows: object[] }>(
      "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
    )
    if (still.rows.length > 0) throw new Error('one of them goes on')
  })
  t.strictSame((await pool.raw<{ rows: object[] }>('select * from things')).rows, [], 'nothing of it is stored')
  for (const trx of forgotten) await t.rejects(trx('things').insert({ id: 3 }))
  await pool('things').insert({ id: 4 })
  t.strictSame(await database.knex('things').select(), [{ id: 4 }])
})

t.test('a connection that code keeps comes back after its time, and the log says so', async t => {
  const { pool, errors } = poolWith({ held: 300 })
  const kept = await Promise.all([pool.transaction(), pool.transaction()])
  await eventually(async () => {
    await pool.raw('select 1')
  })
  t.equal(errors.length, kept.length)
  t.match(errors[0], /^Code has kept a connection to the database for 0\.3 s\./)
  for (const trx of kept) await t.rejects(trx.raw('select 1'))
  t.match(await Promise.all(kept.map(() => pool.raw('select 1 as one'))), [
    { rows: [{ one: 1 }] },
    { rows: [{ one: 1 }] }
  ])
})

t.test('who waits for a connection in vain is told that all are in use', async t => {
  const { pool } = poolWith({})
  const kept = await Promise.all([pool.transaction(), pool.transaction()])
  const refused: unknown = await pool.raw('select 1').catch((error: unknown) => error)
  t.match(refused, { status: 503, message: /^The database cannot be read now/ })
  t.match(operatorFaultOf(refused), {
    code: 'O111',
    message: /^All connections to the database are in use: none of 2 became free within 0\.5 s\.$/
  })
  for (const trx of kept) await trx.rollback()
  t.match(await pool.raw('select 1 as one'), { rows: [{ one: 1 }] })
})

t.test('health says that all connections are in use', async t => {
  const { database: own } = await testDatabase(t, 'empty', { isPatient: false })
  const kept = await Promise.all(Array.from({ length: 6 }, () => own.knex.transaction()))
  t.match(await own.health(), { status: 'down', detail: /^All 6 connections are in use/ })
  for (const trx of kept) await trx.rollback()
  await eventually(async () => {
    const { status } = await own.health()
    if (status !== 'ok') throw new Error(status)
  })
})
