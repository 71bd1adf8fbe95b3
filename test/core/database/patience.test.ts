import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { Text } from '../../../core/contract/shapes.ts'
import { bulkLimits, silent } from '../../../core/database/connection.ts'
import { openDatabase, type Database } from '../../../core/database/database.ts'
import { openPool } from '../../../core/database/pool.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { holdBack, proxiedDatabase } from '../../support/fault-proxy.ts'

// Waits as long as requests and the imports of a service wait for a connection.

const pause = { status: 503, code: 'SOURCE_UNAVAILABLE' }
const { url: direct } = await testDatabase(t, 'empty')

async function opened(t: Test, url: string, isPatient: boolean): Promise<Database> {
  const database = await openDatabase({ url, dataDir: '', log: silent, isPatient })
  t.teardown(() => database.close())
  return database
}

/** Every way to the data: each of them needs a connection of its own. */
function everyWay({ knex, reading, bulk, reader }: Database): readonly Promise<unknown>[] {
  const loader = reader.createLoader({
    name: 'echo',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })
  return [knex.raw('select 1'), reading.raw('select 1'), bulk.raw('select 1'), loader.load('a')]
}

const statesOf = async (asked: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(asked)).map(one => (one.status === 'rejected' ? String(one.reason) : one.status))
/** More connections than a command and a service open here together. */
const room = 12
const all = ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']

t.test('a command waits for a connection that a request and an import of a service give up', async t => {
  const { proxy, url } = await proxiedDatabase(t, direct)
  const letIn = await holdBack(proxy)
  const [ofCommand, ofService] = [await opened(t, url, true), await opened(t, url, false)]
  // Asked first: with the same patience, it would give up first.
  const asked = statesOf(everyWay(ofCommand))
  await t.rejects(ofService.knex.raw('select 1'), pause)
  await t.rejects(ofService.bulk.raw('select 1'), pause)
  letIn()
  t.same(await asked, all)
})

t.test('a command waits while a server has no connection free, and a request is answered', async t => {
  const role = `full_${randomBytes(8).toString('hex')}`
  const admin = await opened(t, direct, true)
  await admin.bulk.raw(`create role ${role} login connection limit ${room}`)
  t.teardown(() => admin.bulk.raw(`drop role ${role}`))
  const url = Object.assign(new URL(direct), { username: role }).href
  const others = openPool({ url }, bulkLimits, room, silent)
  t.teardown(() => others.destroy())
  const held = await Promise.all(Array.from({ length: room }, () => others.transaction()))

  const said: string[] = []
  const warn = (message: string): void => {
    said.push(message)
  }
  const ofCommand = await openDatabase({ url, dataDir: '', log: { ...silent, warn }, isPatient: true })
  t.teardown(() => ofCommand.close())
  const asked = statesOf(everyWay(ofCommand))
  const ofService = await opened(t, url, false)
  t.same(
    (await statesOf(everyWay(ofService))).filter(state => !state.includes('cannot be read now')),
    [],
    'whom a caller waits for gives up'
  )
  await eventually(() => {
    assert.ok(said.length >= 2, 'both readers were refused')
  })
  t.match(said, [/too many connections/])
  await Promise.all(held.map(transaction => transaction.rollback()))
  await others.destroy()
  t.same(await asked, all)
})

t.test('a statement of a command outlives the limit of a request', async t => {
  const { knex, reading } = await opened(t, direct, true)
  await Promise.all([knex, reading].map(pool => pool.raw('select pg_sleep(1.5)')))
  t.pass('it was not ended')
  for (const pool of [knex, reading])
    t.match((await pool.raw<{ rows: object[] }>('show statement_timeout')).rows, [{ statement_timeout: '1min' }])
})
