import t from 'tap'
import { watchTables } from '../../../../core/database/tables/watch.ts'
import type { Corpus } from '../../../../core/corpus/corpus.ts'
import { migrateRoot } from '../../../support/migrate-root.ts'
import { testDatabase } from '../../../support/database.ts'
import { gazetteer, registryOf } from '../../../support/registry.ts'

const {
  database: { bulk: knex }
} = await testDatabase(t, 'empty')
await migrateRoot(knex, gazetteer)
const { registry } = await registryOf([gazetteer])
const corpus = registry.corpora.get('places') as Corpus
const statements: string[] = []
knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))

const all = { conditions: [], columns: ['id', 'height_m'], order: ['id'], limit: 1 }

/** Takes a column away, and gives it back. */
const renamed = [
  'alter table places rename column height_m to height',
  'alter table places rename column height to height_m'
] as const

/** Runs `work` while the table is changed, and changes it back. */
async function during(change: string, back: string, work: () => Promise<void>): Promise<void> {
  await knex.raw(change)
  await work()
  await knex.raw(back)
}

t.test('a table is looked at once, and then only while it is unwell or a request has met a difference', async t => {
  const watch = watchTables(() => Promise.resolve(knex))
  const rows = watch.rows(corpus)
  t.same(await watch.health(), {})
  statements.length = 0
  t.same(await watch.health(), {})
  await rows.list(all)
  t.equal(statements.length, 1, 'neither health nor a request asks more than it must')
  await during(...renamed, async () => {
    t.same(await watch.health(), {}, 'nothing has met it')
    await t.rejects(rows.list(all), { message: /not as it is declared/ })
    t.match(await watch.health(), { 'table:places': { status: 'down', detail: /`places`/, corpora: ['places'] } })
    t.match(await watch.health(), { 'table:places': { status: 'down' } })
  })
  t.same(await watch.health(), {}, 'it is well again without a start')
})

t.test('each surface of a table watches it', async t => {
  const watch = watchTables(() => Promise.resolve(knex))
  const [first] = [watch.rows(corpus), watch.rows(corpus)]
  t.same(await watch.health(), {})
  await during(...renamed, async () => {
    await t.rejects(first.list(all), { message: /not as it is declared/ })
    t.match(await watch.health(), { 'table:places': { status: 'down' } })
  })
})

t.test('what is wrong at the start is found without a request', async t => {
  for (const [change, back, status] of [
    ['alter table places rename to islands', 'alter table islands rename to places', 'down'],
    [
      'alter table places alter column founded type text',
      'alter table places alter column founded type date using founded::date',
      'degraded'
    ],
    ['alter table places rename column words to other', 'alter table places rename column other to words', 'degraded']
  ] as const)
    await during(change, back, async () => {
      const watch = watchTables(() => Promise.resolve(knex))
      watch.rows(corpus)
      t.match(await watch.health(), { 'table:places': { status } }, change)
    })
})

t.test('a column that cannot be shown as it is declared is that of another table, and no fault', async t => {
  const watch = watchTables(() => Promise.resolve(knex))
  const rows = watch.rows(corpus)
  await watch.health()
  const [change, back] = [
    "alter table places alter column height_m type date using '2026-01-01'",
    'alter table places alter column height_m type numeric using null'
  ]
  await during(change, back, async () => {
    await t.rejects(rows.list(all), { message: /not as it is declared/ })
    t.match(await watch.health(), { 'table:places': { status: 'down' } })
  })
})

t.test('while the database is away, nothing is said of its tables', async t => {
  let isAway = true
  const watch = watchTables(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(knex)))
  watch.rows(corpus)
  await during('alter table places rename to islands', 'alter table islands rename to places', async () => {
    t.same(await watch.health(), {})
    isAway = false
    t.match(await watch.health(), { 'table:places': { status: 'down' } })
  })
})
