import t from 'tap'
import { sha256Hex } from '../../core/canonical/json.ts'
import { migrate, status } from '../support/migrations.ts'
import { importBundled, importSource } from '../../surfaces/importer.ts'
import { declaredSources } from '../surfaces/import/bundled-sources.ts'
import { dataFolder, lantern } from '../surfaces/import/lantern.ts'
import { testDatabase } from '../support/database.ts'

const names = ['0001_catalogue']

t.test('a new database has everything to do, and afterwards no step is left', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  const before = await status(bulk)
  t.same(before.done, [])
  t.ok(before.pending.includes(names[0]!))
  t.same(await migrate(bulk), before.pending)
  t.same(await status(bulk), { done: before.pending, pending: [], unknown: [] })
  t.same(await migrate(bulk), [], 'a second run does nothing')
})

t.test('everything can be taken back and done again', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t)
  const { done } = await status(bulk)
  t.same([...(await migrate(bulk, 'reset'))].sort(), [...done].sort())
  const { rows: left } = await bulk.raw<{ rows: { table_name: string }[] }>(
    "select table_name from information_schema.tables where table_schema = 'public' and table_name not like 'schema\\_migrations%'"
  )
  t.same(left, [], 'no table is left behind')
  t.same(await migrate(bulk), done)
  t.same(await migrate(bulk, 'down'), done.slice(-1))
})

t.test('processes that start at the same time migrate once', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(bulk)))
  t.equal(runs.filter(names => names.length > 0).length, 1)
  t.same((await status(bulk)).pending, [])
})

t.test('what is held survives the way to the first schema and back', async t => {
  const { database } = await testDatabase(t)
  const { bulk } = database
  await importBundled(
    database,
    [...declaredSources().values()].filter(({ id }) => id === 'pokemon-tcg-pocket-database')
  )
  await importSource(database, lantern, { folder: dataFolder })
  const held = async (): Promise<ReturnType<typeof digestOf>[]> =>
    await Promise.all(
      [
        'select source, native_id, sku, digest, from_run, row::jsonb from observations order by 1, 2',
        'select sku, place_key, number_key, printed_key, attributes::jsonb, document from cards order by 1',
        'select game, name, works, first_works from artists order by 1, 2',
        'select game, sightings, cards from coverage_patterns order by game, sightings::text',
        'select game, code, number_count from sets order by 1, 2'
      ].map(async sql => digestOf((await bulk.raw<{ rows: unknown[] }>(sql)).rows))
    )
  const before = await held()
  t.ok(before.length === 5 && before.every(table => table.rows > 0), JSON.stringify(before))
  const { done } = await status(bulk)
  for (const name of done.slice(1).reverse()) t.same(await migrate(bulk, 'down'), [name])
  t.same(await migrate(bulk), done.slice(1))
  t.same(await held(), before)
})

const digestOf = (rows: readonly unknown[]): { rows: number; digest: string } => ({
  rows: rows.length,
  digest: sha256Hex(JSON.stringify(rows))
})
