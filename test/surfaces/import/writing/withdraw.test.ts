import t from 'tap'
import { importSource } from '../../../../surfaces/importer.ts'
import { testDatabase } from '../../../support/database.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { plain, writeRows, type Row } from '../rows-on-disk.ts'

const { database } = await testDatabase(t)
const folder = scratchFolder(t)
const query = async <T extends object>(sql: string): Promise<T[]> => (await database.bulk.raw<{ rows: T[] }>(sql)).rows
const load = (rows: readonly Row[], options: { dryRun?: boolean; allowWithdraw?: number } = {}, id = 'plain') =>
  importSource(database, plain(id), { folder: writeRows(folder, rows), ...options })
const many = (count: number, more: Partial<Row> = {}): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `id ${index}`, number: String(index), ...more }))
const held = async (): Promise<number> =>
  (await query<{ count: number }>('select count(*)::int as count from cards'))[0]?.count ?? 0
t.beforeEach(async () => {
  await database.bulk.raw(
    'truncate runs, games, sets, cards, observations, sightings, declared_sets, disagreements, withdrawals, quarantine restart identity cascade'
  )
})

t.test('a card that nobody observes any more is withdrawn, with the reason and what its row makes now', async t => {
  await load([{ id: 'a' }, { id: 'b', number: '002' }, { id: 'c', number: '003' }, { id: 'd', number: '004' }])
  await load([{ id: 'z', number: '003' }], {}, 'other')
  await load([
    { id: 'a', number: '009' },
    { id: 'b', number: '002', lang: 'no language' },
    { id: 'e', number: '005' }
  ])
  t.same(
    await query(
      "select sku, source, reason, successor, withdrawn_at > now() - interval '1 minute' as is_dated from withdrawals order by sku"
    ),
    [
      { sku: 'lan-ab1-001-en', source: 'plain', reason: 'moved', successor: 'lan-ab1-009-en', is_dated: true },
      { sku: 'lan-ab1-002-en', source: 'plain', reason: 'refused', successor: null, is_dated: true },
      { sku: 'lan-ab1-004-en', source: 'plain', reason: 'gone', successor: null, is_dated: true }
    ],
    'what another source observes stays'
  )
  t.same(
    (await query<{ sku: string }>('select sku from cards order by sku')).map(({ sku }) => sku),
    ['lan-ab1-003-en', 'lan-ab1-005-en', 'lan-ab1-009-en']
  )
  t.match(await query("select sources from cards where sku = 'lan-ab1-003-en'"), [{ sources: ['other'] }])
})

t.test('an import of which too many cards would go stops, and leaves everything as it was', async t => {
  await load(many(1000))
  t.match(await load(many(980)), { withdrawals: { cards: 20 } }, 'so few may go')
  await t.rejects(load(many(900)), {
    message:
      'Source `plain` is not imported: 80 of its 980 cards would be withdrawn. If that is right, say `--allow-withdraw 80`.',
    withdrawals: { cards: 80, examples: [{ sku: 'lan-ab1-900-en', reason: 'gone' }] }
  })
  await t.rejects(load(many(900), { allowWithdraw: 79 }))
  t.equal(await held(), 980)
  t.same(
    await query('select from withdrawals'),
    Array.from({ length: 20 }, () => ({}))
  )
  t.match(await query('select status from runs order by id desc limit 1'), [{ status: 'failed' }])
  t.match(await load(many(900), { allowWithdraw: 80 }), { withdrawals: { cards: 80 } })
  t.equal(await held(), 900)
})

t.test('of a large source two in a hundred may go, and cards that move count as well', async t => {
  await load(many(1500))
  t.match(await load(many(1470)), { withdrawals: { cards: 30 } })
  await t.rejects(load(many(1470, { set: 'NEW' })), {
    message: /1470 of its 1470 cards/,
    withdrawals: { cards: 1470, examples: [{ reason: 'moved', successor: 'lan-new-0-en' }] }
  })
})

t.test('a dry run says what would disappear, however much, and withdraws nothing', async t => {
  await load(many(100))
  t.match(await load(many(1), { dryRun: true }), { withdrawals: { cards: 99, examples: { length: 50 } } })
  t.equal(await held(), 100)
  t.same(await query('select from withdrawals'), [])
})
