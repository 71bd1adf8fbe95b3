import t from 'tap'
import { forgetSource, importSource } from '../../../surfaces/importer.ts'
import { heldSources } from '../../../surfaces/import/forget.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows, type Row } from './rows-on-disk.ts'

const { database } = await testDatabase(t)
const folder = scratchFolder(t)
const query = async <T extends object>(sql: string): Promise<T[]> => (await database.bulk.raw<{ rows: T[] }>(sql)).rows
const load = (id: string, rows: readonly Row[]) => importSource(database, plain(id), { folder: writeRows(folder, rows) })
const state = async () => [await query('select sku, name, sources, document from cards order by sku'), await query('select game, code, name, card_count, content_hash from sets'), await query('select game, sightings, cards from coverage_patterns')]

t.test('a source that is forgotten leaves what the others say, as if it had never been imported', async t => {
  await load('zeta', [{ id: '1', name: 'Own', setName: 'Own' }])
  const before = await state()
  await load('alpha', [{ id: 'a', name: 'Mistake', setName: 'Wrong' }, { id: 'b', number: '002' }, { id: 'c', set: 'GHOST' }])
  await load('alpha', [{ id: 'b', number: '002' }, { id: 'c', set: 'GHOST' }])
  const { reader } = plain()
  const wrong = { ...plain('alpha'), games: ['lan', 'tow'], reader: { ...reader!, map: { ...reader!.map, game: { const: 'tow' }, native_id: 'row.number' } } }
  await importSource(database, wrong, { folder: writeRows(folder, [{ id: 'd', number: '7' }, { id: 'e', number: '8' }]) })
  await load('alpha', [{ id: 'b', number: '002' }, { id: 'c', set: 'GHOST' }])
  t.same(await heldSources(database), ['alpha', 'zeta'])
  t.match(await forgetSource(database, 'alpha', { dryRun: true }), { cards: 2 })
  t.same(await heldSources(database), ['alpha', 'zeta'])
  t.same(await forgetSource(database, 'alpha'), { cards: 2, examples: [
    { sku: 'lan-ab1-002-en', reason: 'forgotten', successor: null }, { sku: 'lan-ghost-001-en', reason: 'forgotten', successor: null }
  ] })
  t.same(await state(), before)
  t.same(await heldSources(database), ['zeta'])
  for (const table of ['observations', 'sightings', 'quarantine', 'runs']) t.same(await query(`select from ${table} where source = 'alpha'`), [], table)
})
