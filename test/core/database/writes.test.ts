import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { watchWrites } from '../../../core/database/writes.ts'
import { testDatabase } from '../../support/database.ts'
import { cannotMount, fill, mount } from '../../support/disk.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'

const full = {
  status: 503,
  code: 'SOURCE_UNAVAILABLE',
  message: 'The disk of the database is full. Nothing can be written until there is space.'
}

t.test(
  'after an error of the disk nothing that takes space reaches the server, until a little can be written',
  async t => {
    const told: string[] = []
    const writes = watchWrites(undefined, {
      ...silent,
      error: message => {
        told.push(message)
      }
    })
    const never = async (): Promise<never> => await Promise.reject(new Error('not asked'))
    await writes.look(never)
    t.ok(writes.arePossible(), 'nothing is asked while nothing is wrong')
    for (const code of ['57014', '53100', '53100']) writes.notice(Object.assign(new Error('no'), { code }))
    t.notOk(writes.arePossible())
    t.equal(told.length, 1, 'said once')
    for (const sql of [
      'insert into a values (1)',
      ' UPDATE a set b = 1',
      'delete from a',
      'with moved as (delete from a returning *) insert into b select * from moved',
      'create table a ()',
      'copy a from stdin'
    ])
      t.match(writes.refusal(sql), { code: '53100' }, sql)
    for (const sql of [
      'select 1',
      'with one as (select 1) select * from one',
      'BEGIN;',
      'rollback',
      'select pg_advisory_xact_lock(1)',
      'set local x = 1'
    ])
      t.equal(writes.refusal(sql), undefined, sql)
    await writes.look(never)
    t.notOk(writes.arePossible(), 'nothing could be written')
    await writes.look(async () => {
      await Promise.resolve()
    })
    t.ok(writes.arePossible())
  }
)

t.test('a folder with too little space is full before the server meets it', { skip: cannotMount() }, async t => {
  const folder = scratchFolder(t)
  mount(t, folder, '64m')
  const writes = watchWrites(folder, silent)
  await writes.look(async () => {
    await Promise.resolve()
  })
  t.ok(writes.arePossible())
  fill(join(folder, 'filler'), 1 << 20)
  await writes.look(async () => {
    await Promise.resolve()
  })
  t.notOk(writes.arePossible())
})

t.test('a database whose disk was full writes again when its health is asked', async t => {
  const { database } = await testDatabase(t)
  const { knex, bulk } = database
  await knex.raw('create table kept (name text)')
  await t.rejects(knex.raw("do $$ begin raise exception using errcode = '53100'; end $$"), full)
  for (const pool of [knex, bulk]) await t.rejects(pool('kept').insert({ name: 'refused' }), full)
  await t.rejects(
    knex.transaction(async transaction => {
      await transaction('kept').insert({ name: 'refused' })
    }),
    full
  )
  t.same(await knex('kept').select(), [], 'it is read')
  t.match(await database.health(), { isWritable: true })
  await knex('kept').insert({ name: 'written' })
  t.same(await knex('kept').select(), [{ name: 'written' }])
})

t.test(
  'a full disk ends no server and no read, and writing goes on when there is space',
  { skip: cannotMount() },
  async t => {
    const disk = scratchFolder(t)
    mount(t, disk, '300m')
    const database = await openDatabase({ dataDir: join(disk, 'data'), log: silent })
    t.teardown(() => database.close())
    const { knex, bulk, reader } = database
    await knex.raw('create table kept (name text, filler text)')
    await knex('kept').insert({ name: 'old' })
    const server = async (): Promise<unknown> =>
      (
        await knex.raw<{ rows: unknown[] }>(
          'select pg_postmaster_start_time(), (select count(*)::int from pg_stat_activity where wait_event is null) > 0 as is_there'
        )
      ).rows[0]
    const before = await server()
    const names = reader.createLoader({
      name: 'names',
      sql: 'select name from kept where name = any($1)',
      columns: [],
      keyOf: row => String((row as readonly unknown[])[0])
    })
    t.same(await names.load('old'), ['old'])
    const filler = join(disk, 'filler')
    fill(filler, 0)
    // As a flood does before anybody has looked: the log of the server has its space, and its tables have not.
    const written = await Promise.allSettled(
      Array.from({ length: 40 }, (_, number) =>
        bulk.raw("insert into kept select ?, string_agg(md5(n::text), '') from generate_series(1, 3000) n", [
          `new ${number}`
        ])
      )
    )
    const refused = written.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    t.ok(refused.length > 0)
    for (const reason of refused) t.match(reason, full)
    t.match(await database.health(), { status: 'degraded', detail: /disk is full/, isWritable: false })
    for (let number = 0; number < 5; number += 1) await t.rejects(knex('kept').insert({ name: 'refused' }), full)
    t.same(await names.load('old'), ['old'])
    t.same(await server(), before, 'it is the same server')
    rmSync(filler)
    await eventually(async () => {
      if (!(await database.health()).isWritable) throw new Error('not yet')
    })
    await knex('kept').insert({ name: 'again' })
    t.same(await names.load('again'), ['again'])
  }
)
