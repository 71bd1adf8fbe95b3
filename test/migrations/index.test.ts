import t from 'tap'
import { migrate, status } from '../support/migrations.ts'
import { testDatabase } from '../support/database.ts'

t.test('a new database has everything to do, and afterwards no step is left', async t => {
  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  const before = await status(bulk)
  t.same(before.done, [])
  t.ok(before.pending.length > 0)
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
