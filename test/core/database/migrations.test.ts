import t from 'tap'
import { migrate, migrationStatus, type Migration, type MigrationSteps } from '../../../core/database/migrations.ts'
import { jobMigrations } from '../../../core/database/jobs/table.ts'
import { onceMigrations } from '../../../core/database/once/table.ts'
import { testDatabase } from '../../support/database.ts'

const step = (name: string, up: string, more: Partial<MigrationSteps> = {}): Migration => ({
  name,
  load: () =>
    Promise.resolve({
      up: async knex => {
        await knex.raw(up)
      },
      down: async knex => {
        await knex.raw('drop table birds')
      },
      ...more
    })
})

const first = step('aviary/0001_birds', 'create table birds (name text)')
const second = step('aviary/0002_colours', 'alter table birds add colour text')
const third = step('aviary/0003_songs', 'alter table birds add song text')
const squashed = step('aviary/0004_birds', 'create table birds (name text, colour text, song text)', {
  replaces: ['0001_birds', '0002_colours'],
  mayReplace: ['0003_songs'],
  adopt: async knex => {
    await knex.raw('alter table birds add if not exists song text')
  }
})

t.test('a migration of a package adopts what those did that it stands for', async t => {
  for (const before of [
    [first, second],
    [first, second, third]
  ]) {
    const {
      database: { bulk }
    } = await testDatabase(t, 'empty')
    await migrate(bulk, before)
    await bulk('birds').insert({ name: 'wren', colour: 'brown' })
    const waiting = { done: before.map(({ name }) => name), pending: [squashed.name], unknown: [] }
    t.same(await migrationStatus(bulk, [squashed]), waiting)
    t.same(await migrate(bulk, [squashed]), [squashed.name])
    t.same(await bulk('birds'), [{ name: 'wren', colour: 'brown', song: null }])
    t.same(await migrationStatus(bulk, [squashed]), { done: [squashed.name], pending: [], unknown: [] })
    t.same(await migrate(bulk, [squashed], 'down'), [squashed.name])
  }
})

t.test('of a part of them nothing is adopted, and what is missing is named', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  await migrate(bulk, [first])
  const refusal = { code: 'O304', message: /aviary\/0002_colours has not run/ }
  await t.rejects(migrate(bulk, [squashed]), refusal)
  await t.rejects(migrationStatus(bulk, [squashed]), refusal)
  t.same(await bulk('birds'), [])
})

t.test('a schema with steps that the code does not know is not migrated', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  await migrate(bulk, [first, second])
  await t.rejects(migrate(bulk, [first]), { code: 'O303', message: /aviary\/0002_colours/ })
  t.same((await migrationStatus(bulk, [first])).unknown, [second.name])
})

t.test('a step of the framework that roots need no longer is no step of a newer one', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  await migrate(bulk, [...jobMigrations, first])
  await migrate(bulk, [...onceMigrations, first, second])
  t.same((await migrationStatus(bulk, [...onceMigrations, first, second])).unknown, [])
})

t.test('steps of the same names that belong to somebody else are not adopted', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  const other = { ...first, name: '0001_birds' }
  await migrate(bulk, [other, { ...second, name: '0002_colours' }])
  t.same((await migrationStatus(bulk, [squashed])).pending, [squashed.name])
  await t.rejects(migrate(bulk, [squashed]), { message: /already exists/ })
})
