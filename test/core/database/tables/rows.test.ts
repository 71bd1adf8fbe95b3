import t from 'tap'
import type { Corpus } from '../../../../core/corpus/corpus.ts'
import { openRows } from '../../../../core/database/tables/rows.ts'
import { testDatabase } from '../../../support/database.ts'

const { database } = await testDatabase(t, 'empty')
const { bulk } = database
const [all, valued] = [20_000, 19_600]
await bulk.raw(`
  create table things (id integer primary key, size integer);
  insert into things select n, case when n % 50 > 0 then n * 7919 % 4000 end from generate_series(1, ${all}) n;
  create index on things (size);
  analyze things`)

const corpus = {
  name: 'things',
  key: 'id',
  schema: { type: 'object', properties: { id: { type: 'integer' }, size: { type: ['integer', 'null'] } } },
  table: { name: 'things' }
} as unknown as Corpus

const asked: Readonly<{ sql: string; bindings: readonly unknown[] }>[] = []
bulk.on('query', (query: (typeof asked)[number]) => {
  if (query.sql.startsWith('select')) asked.push(query)
})
const rows = openRows(corpus, () => Promise.resolve(bulk))

type Node = Readonly<{ 'Actual Rows': number; 'Rows Removed by Filter'?: number; Plans?: readonly Node[] }>
/** The most rows that a step of a plan reads. */
const readBy = ({ Plans = [], ...node }: Node): number =>
  Math.max(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), ...Plans.map(readBy))

t.test('a page deep in the order of a column with null reads few rows, by the index', async t => {
  for (const order of ['size', '-size']) {
    const list = { conditions: [], columns: ['id', 'size'], order: [order, 'id'] }
    for (const skipped of [10_000, valued - 5, valued + 100]) {
      const before = await rows.list({ ...list, limit: skipped })
      asked.length = 0
      const { rows: found } = await rows.list({ ...list, limit: 10, after: before.position })
      const whole = await rows.list({ ...list, limit: skipped + 10 })
      t.same(found, whole.rows.slice(skipped), `${order} after ${skipped}`)
      // What follows was asked for by the second list.
      const statements = asked.splice(0, skipped === valued - 5 ? 2 : 1)
      for (const { sql, bindings } of statements) {
        const { rows: explained } = await bulk.raw<{ rows: { 'QUERY PLAN': { Plan: Node }[] }[] }>(
          `explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`,
          bindings as string[]
        )
        const [plan] = explained[0]?.['QUERY PLAN'] ?? []
        const read = plan === undefined ? Infinity : readBy(plan.Plan)
        t.ok(read < 2_000, `${order} after ${skipped}: ${read} rows of ${all} for 10`)
      }
    }
  }
})

t.test('a key that the column cannot have is that of no row', async t => {
  t.same(await rows.one(1, ['id']), { id: 1 })
  for (const key of [0, 3_000_000_000, -3_000_000_000, 'x'])
    t.equal(await rows.one(key, ['id']), undefined, String(key))
})
