// test: slow.
import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { importSource } from '../../../surfaces/importer.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows, type Row } from './rows-on-disk.ts'

const { database } = await testDatabase(t)
const folder = scratchFolder(t)
const { reader } = plain()

const tables = [
  'runs',
  'games',
  'sets',
  'cards',
  'observations',
  'sightings',
  'declared_sets',
  'disagreements',
  'withdrawals',
  'quarantine',
  'artists'
]
const empty = async (): Promise<void> => {
  await database.bulk.raw(`truncate ${tables.join(', ')} restart identity cascade`)
}

/** All that files decide: no time, no number of a run, no id that the database gives. */
const statements = {
  cards: `select c.sku, s.game as set_game, s.code, to_jsonb(c) - '{set_id,first_seen_at,updated_at}'::text[] as card from cards c join sets s on s.id = c.set_id order by 1`,
  sets: "select to_jsonb(s) - '{id,first_seen_at}'::text[] as set from sets s order by game, code",
  games: "select to_jsonb(g) - '{first_seen_at,updated_at}'::text[] as game from games g order by token",
  observations:
    'select source, native_id, sku, o.digest, row::text, statement::text from observations o left join set_statements w on w.id = o.statement_id order by 1, 2',
  sets_declared: 'select * from declared_sets order by source, game, code_key',
  disagreements: 'select * from disagreements order by sku, field',
  quarantine: 'select source, native_id, other_native_id, sku, reason from quarantine order by source, id',
  artists: 'select * from artists order by game, name'
}
const state = async (): Promise<unknown> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(statements).map(async ([name, sql]) => [
        name,
        (await database.bulk.raw<{ rows: unknown[] }>(sql)).rows
      ])
    )
  )

/** What a curator may write on one day and correct on another. */
const changes: readonly Partial<NonNullable<Source['reader']>['map']>[] = [
  {},
  { game: { const: 'tow' } },
  { lang: { const: 'fr' } },
  { name: 'row.setName' },
  { native_id: 'row.number' },
  { number: 'row.id' },
  { variant: 'row.id' },
  { rarity: 'row.name', illustrators: { path: 'row.setName', transform: ['list'] } },
  { attributes: { cost: 'row.number', block: 'row.total' } },
  { set_code: 'row.setName' }
]
const sourceOf = (id: string, { change, where }: Edit): Source => ({
  ...plain(id),
  where,
  reader: { ...reader!, map: { ...reader!.map, ...changes[change] } }
})

const row = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c', ''),
    set: fc.constantFrom('S1', 's1', 'S2'),
    number: fc.constantFrom('1', '1', '2'),
    lang: fc.constantFrom('en', 'en', 'en', 'no language'),
    name: fc.constantFrom('One', 'one', 'Two'),
    setName: fc.constantFrom('First', 'Second'),
    total: fc.constantFrom(3, 4)
  },
  { requiredKeys: ['id', 'set', 'number', 'lang'] }
) as fc.Arbitrary<Row>
/** Files are written of a few rows, so that the same ones come back in other company and another order. */
const edits = fc
  .array(row, { minLength: 3, maxLength: 6 })
  .chain(rows =>
    fc.array(
      fc.record({
        source: fc.constantFrom('alpha', 'alpha', 'beta'),
        where: fc.constantFrom('package' as const, 'folder' as const),
        change: fc.oneof(
          { weight: 2, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.nat(changes.length - 1) }
        ),
        rows: fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 6 })
      }),
      { minLength: 2, maxLength: 6 }
    )
  )
type Edit = Readonly<{ source: string; where: 'package' | 'folder'; change: number; rows: readonly Row[] }>

const load = async (given: Edit) =>
  await importSource(database, sourceOf(given.source, given), { folder: writeRows(folder, given.rows) })
const isKept = async (given: Edit): Promise<boolean> =>
  await load(given).then(
    () => true,
    (error: unknown) => {
      if (!String(error).includes('could be kept')) throw error
      return false
    }
  )

t.test(
  'whatever was imported before, what is held follows from the last declaration and files of each source',
  async () => {
    await fc.assert(
      fc.asyncProperty(edits, async edits => {
        await empty()
        const last = new Map<string, Edit>()
        for (const given of edits) if (await isKept(given)) last.set(given.source, given)
        const before = await state()
        await empty()
        // Also in the other order: who came first decides nothing.
        for (const given of [...last.values()].sort((a, b) => (a.source < b.source ? 1 : -1))) await load(given)
        deepStrictEqual(before, await state())
      }),
      { numRuns: 15, endOnFailure: true }
    )
  }
)

t.test('rows that contend are told apart the same way however far apart they are, and whatever was held', async t => {
  const between = Array.from({ length: 2100 }, (_, index) => ({ id: `id ${index}`, number: `1${index}` }))
  const rows = [
    { id: 'a', number: '1' },
    { id: 'b', number: '1' },
    { id: 'c', number: '5' },
    ...between,
    { id: 'b', number: '2' },
    { id: 'd', number: '5' },
    { id: 'c', number: '3' },
    { id: 'e', number: '3' }
  ]
  const given = (list: readonly Row[]): Edit => ({ source: 'alpha', where: 'folder', change: 0, rows: list })
  await empty()
  await load(given(rows))
  const fresh = await state()
  for (const earlier of [
    rows,
    [
      { id: 'c', number: '1' },
      { id: 'd', number: '2' }
    ],
    [
      { id: 'b', number: '2' },
      { id: 'c', number: '3' },
      { id: 'a', number: '5' }
    ]
  ]) {
    await empty()
    await load(given(earlier))
    await load(given(rows))
    deepStrictEqual(await state(), fresh)
  }
  t.match(fresh, {
    quarantine: [
      { native_id: 'b', other_native_id: 'a' },
      { native_id: 'b', other_native_id: 'b' },
      { native_id: 'd', other_native_id: 'c' },
      { native_id: 'c', other_native_id: 'c' }
    ]
  })
})
