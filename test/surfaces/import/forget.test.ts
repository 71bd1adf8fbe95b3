import t, { type Test } from 'tap'
import { forgetSource, importSource } from '../../../surfaces/importer.ts'
import { heldSources } from '../../../surfaces/import/forget.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows, type Row } from './rows-on-disk.ts'

type Query = <T extends object>(sql: string) => Promise<T[]>
/** A database, and what imports rows of a `plain` source into it. */
async function open(t: Test) {
  const { database } = await testDatabase(t)
  const folder = scratchFolder(t)
  const query: Query = async <T extends object>(sql: string) => (await database.bulk.raw<{ rows: T[] }>(sql)).rows
  return {
    database,
    query,
    folder,
    load: (id: string, rows: readonly Row[]) =>
      importSource(database, plain(id), { folder: writeRows(folder, rows), allowWithdraw: 100 })
  }
}

/** Numbers that the database gives, and times: they tell how often something was done before, and when. */
const given = [
  'id',
  'version',
  'set_id',
  'statement_id',
  'name_id',
  'run',
  'from_run',
  'until_run',
  'first_seen_at',
  'updated_at',
  'started_at',
  'finished_at',
  'withdrawn_at',
  'changed_at',
  'duration_ms'
]

/** All rows of all tables, as sorted texts. */
async function everything(query: Query): Promise<Record<string, readonly string[]>> {
  const tables = await query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name !~ 'migrations' order by 1"
  )
  const all: Record<string, readonly string[]> = {}
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(
      `select (to_jsonb(t) - '{${given.join(',')}}'::text[])::text as row from ${name} t`
    )
    // Sightings are named by the numbers of their runs.
    all[name] = rows
      .map(({ row }) => (name === 'coverage_patterns' ? row.replace(/", \d+, (?:\d+|null)\]/g, '"]') : row))
      .sort()
  }
  return all
}

const zeta: readonly Row[] = [
  { id: '1', name: 'Own', setName: 'Own' },
  { id: '2', number: '002' },
  { id: '3', number: '003', set: 'CD2' }
]

t.test('a source that is forgotten leaves no trace in any table, as if it had never been imported', async t => {
  const { database, query, folder, load } = await open(t)
  await load('alpha', [
    { id: 'a', name: 'Mistake', setName: 'Wrong' },
    { id: 'b', number: '002' },
    { id: 'c', set: 'GHOST' }
  ])
  await load('zeta', zeta)
  await load('alpha', [
    { id: 'a', number: '017' },
    { id: 'c', set: 'GHOST' },
    { id: 'x', lang: 'no language' },
    { id: 'y', number: '003', set: 'CD2' }
  ])
  await load('zeta', zeta.slice(0, 2))
  const { reader } = plain()
  const wrong = {
    ...plain('alpha'),
    games: ['lan', 'tow'],
    reader: { ...reader!, map: { ...reader!.map, game: { const: 'tow' }, native_id: 'row.number' } }
  }
  await importSource(database, wrong, {
    folder: writeRows(folder, [
      { id: 'd', number: '7' },
      { id: 'e', number: '8' }
    ])
  })
  await load('alpha', [
    { id: 'b', number: '002' },
    { id: 'c', set: 'GHOST', setName: 'Ghosts' },
    { id: 'y', number: '003', set: 'CD2' },
    { id: 'x', lang: 'no language' }
  ])
  t.same(await heldSources(database), ['alpha', 'zeta'])

  const before = await everything(query)
  const gone = {
    cards: 2,
    examples: [
      { sku: 'lan-cd2-003-en', reason: 'gone', successor: null },
      { sku: 'lan-ghost-001-en', reason: 'forgotten', successor: null }
    ]
  }
  t.same(await forgetSource(database, 'alpha', { dryRun: true }), gone)
  t.same(await everything(query), before)
  t.same(await forgetSource(database, 'alpha'), gone)

  const other = await open(t)
  await other.load('zeta', zeta)
  await other.load('zeta', zeta.slice(0, 2))
  const [left, never] = [await everything(query), await everything(other.query)]
  for (const [table, rows] of Object.entries(never)) {
    // What alpha still had when zeta let go of it had another document then.
    t.same(left[table], table === 'card_changes' ? rows.map(row => row.replace(/"[0-9a-f]{64}"/, 'null')) : rows, table)
    t.notMatch(left[table], /alpha|Mistake|Wrong|Ghost/i, table)
  }
  t.ok(Object.values(never).filter(rows => rows.length > 0).length > 10, 'the tables are filled')
  for (const table of ['cards', 'sets', 'games'])
    t.same(
      await query(`select from ${table} where first_seen_at < (select min(started_at) from runs)`),
      [],
      `${table} are known since zeta knows them`
    )
})
