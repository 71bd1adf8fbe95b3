import t from 'tap'
import { disagreementsOf, type Stated } from '../../../surfaces/import/disagreements.ts'
import { importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows } from './rows-on-disk.ts'

const statement = { game: 'lan', set_code: 'A', card_number: '1', lang: 'en', variant: '', name: 'One', name_translations: { en: 'One' }, rarity: 'R', illustrators: null, attributes: { cost: 3 } }
const stated = (source: string, changed: object = {}): Stated => ({ source, row: { ...statement, ...changed } })

t.test('a field is told with what each source says of it, in the order of their ids', t => {
  t.same(disagreementsOf([stated('zeta'), stated('alpha', { rarity: 'SR', attributes: { cost: 4, power: 1 } })]), [
    { field: 'rarity', statements: [{ source: 'alpha', value: 'SR' }, { source: 'zeta', value: 'R' }] },
    { field: 'attributes.cost', statements: [{ source: 'alpha', value: 4 }, { source: 'zeta', value: 3 }] }
  ])
  t.end()
})

t.test('names are compared language by language, and not knowing is no disagreement', t => {
  t.same(disagreementsOf([stated('a'), stated('b', { name: 'Eins', name_translations: { de: 'Eins' }, rarity: null, attributes: null })]), [])
  t.match(disagreementsOf([stated('a'), stated('b', { name_translations: { en: 'Two' } })]), [{ field: 'name_translations.en' }])
  t.end()
})

t.test('one source does not disagree with itself; its first statement counts', t => {
  t.same(disagreementsOf([stated('a'), stated('a', { rarity: 'SR' })]), [])
  t.same(disagreementsOf([stated('a'), stated('a', { rarity: 'SR' }), stated('b')]), [])
  t.end()
})

t.test('an import records where two observers differ, and forgets it when they agree', async t => {
  const { database } = await testDatabase(t)
  const folder = scratchFolder(t)
  const load = (id: string, name: string) => importSource(database, plain(id), { folder: writeRows(folder, [{ id: 'a', name }]) })
  const held = async (): Promise<unknown> => (await database.bulk.raw<{ rows: unknown[] }>('select sku, field, statements from disagreements')).rows
  await load('one', 'A')
  t.same(await held(), [])
  await load('two', 'B')
  t.same(await held(), [{ sku: 'lan-ab1-001-en', field: 'name_translations.en', statements: [{ source: 'one', value: 'A' }, { source: 'two', value: 'B' }] }])
  await load('two', 'A')
  t.same(await held(), [])
})
