import { Readable } from 'node:stream'
import t from 'tap'
import { restore } from '../../../core/database/backup/restore.ts'
import { backupText } from '../../../core/database/backup/write.ts'
import { migrate, migrationStatus, type Migration, type MigrationSteps } from '../../../core/database/migrations.ts'
import { databaseAt, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

type Steps = Readonly<{ up: string; down: string; config?: NonNullable<MigrationSteps['config']> }>

const step = (name: string, { up, down, ...config }: Steps): Migration => ({
  name,
  load: () =>
    Promise.resolve({
      up: async knex => {
        await knex.raw(up)
      },
      down: async knex => {
        await knex.raw(down)
      },
      ...config
    })
})

const config = { transaction: false }
const birds = step('0001_birds', { up: 'create table birds (name text)', down: 'drop table birds' })
const index = step('0002_index', {
  up: 'create index concurrently birds_name on birds (name)',
  down: 'drop index concurrently birds_name',
  config
})
const colours = step('0003_colours', {
  up: 'alter table birds add colour text',
  down: 'alter table birds drop column colour'
})
const all = [birds, index, colours]
const names = all.map(({ name }) => name)

const indexesOf = async (knex: Parameters<typeof migrate>[0]): Promise<readonly unknown[]> =>
  await knex('pg_indexes').where({ indexname: 'birds_name' }).pluck<string[]>('tablename')

t.test('a migration outside of a transaction runs in order, and is taken back so', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  t.same(await migrate(bulk, all), names)
  t.same((await migrationStatus(bulk, all)).done, names)
  t.same(await indexesOf(bulk), ['birds'])
  t.same(await migrate(bulk, all), [])
  t.same(await migrate(bulk, all, 'down'), ['0003_colours'])
  t.same(await migrate(bulk, all, 'down'), ['0002_index'])
  t.same(await indexesOf(bulk), [])
  t.same((await migrationStatus(bulk, all)).pending, ['0002_index', '0003_colours'])
})

t.test('what came before it is kept if it fails, what comes after it waits, and so does its session', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  const broken: Migration = {
    name: '0002_broken',
    load: () =>
      Promise.resolve({
        config,
        up: async knex => {
          await knex.raw("set application_name = 'alone'")
          await knex.raw('create table begun as select current_setting(?) as session', ['application_name'])
          await knex.raw('select 1/0')
        },
        down: () => Promise.resolve()
      })
  }
  await t.rejects(migrate(bulk, [birds, broken, colours]), { cause: { code: '22012' } })
  t.same((await migrationStatus(bulk, [birds, broken, colours])).done, ['0001_birds'])
  t.same(await bulk('begun'), [{ session: 'alone' }], 'all its statements have one session')
  t.same(await bulk('birds').columnInfo(), { name: (await bulk('birds').columnInfo())['name'] })
})

t.test('several processes run it once, and none of them blocks the other', async t => {
  const {
    database: { bulk },
    url
  } = await testDatabase(t, 'empty')
  const others = [await databaseAt(t, url), await databaseAt(t, url)]
  const ran = await Promise.all([bulk, ...others.map(other => other.bulk)].map(one => migrate(one, all)))
  t.same(ran.flat().sort(), names)
  t.same((await bulk('schema_migrations').pluck<string[]>('name')).sort(), names, 'each is recorded once')
})

t.test('a process that ends while it runs leaves neither the lock nor the record', async t => {
  const {
    database: { bulk },
    url
  } = await testDatabase(t, 'empty')
  const slow = step('0001_slow', { up: 'select pg_sleep(60)', down: 'select 1', config })
  const other = await databaseAt(t, url)
  const running = migrate(other.bulk, [slow]).catch((error: unknown) => error)
  await eventually(async () => {
    const { rows } = await bulk.raw<{ rows: unknown[] }>(
      "select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()"
    )
    if (rows.length === 0) throw new Error('it does not run yet')
  })
  await other.close()
  t.type(await running, Error)
  t.same(await migrate(bulk, [birds]), ['0001_birds'])
})

t.test('a backup comes back with what cannot be made in a transaction', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  await migrate(bulk, all)
  await bulk('birds').insert({ name: 'wren', colour: 'brown' })
  const header = { made_at: '2026-11-28T12:00:00.000Z', migrations: names, secrets: {} }
  const text: Buffer[] = []
  for await (const piece of backupText(bulk, header)) text.push(Buffer.from(piece))
  for (const database of [(await testDatabase(t, 'empty')).database, { bulk }]) {
    await restore(database.bulk, Readable.from(text), { migrations: all, replace: true })
    t.same(await database.bulk('birds'), [{ name: 'wren', colour: 'brown' }])
    t.same(await indexesOf(database.bulk), ['birds'])
    t.same([...(await migrationStatus(database.bulk, all)).done].sort(), names)
  }
})
