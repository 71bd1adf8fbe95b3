import t from 'tap'
import type { JsonValue } from '../../../../core/canonical/json.ts'
import { disagreementsOf, type SourceStatement } from '../../../../surfaces/import/writing/merge.ts'
import { importSource } from '../../../../surfaces/importer.ts'
import { testDatabase } from '../../../support/database.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { unknownCard } from '../../cards/facts.ts'
import { plain, writeRows } from '../rows-on-disk.ts'

const statement = {
  ...unknownCard,
  game: 'lan',
  set_code: 'A',
  card_number: '1',
  lang: 'en',
  variant: '',
  name: 'One',
  name_translations: { en: 'One' },
  rarity: 'R',
  attributes: { cost: 3 }
}
const stated = (source: string, changed: object = {}): SourceStatement => ({
  source,
  row: { ...statement, ...changed }
})

t.test('a field is told with what each source says of it, in the order of their ids', t => {
  t.same(disagreementsOf([stated('zeta'), stated('alpha', { rarity: 'SR', attributes: { cost: 4, power: 1 } })]), [
    {
      field: 'rarity',
      statements: [
        { source: 'alpha', value: 'SR' },
        { source: 'zeta', value: 'R' }
      ]
    },
    {
      field: 'attributes.cost',
      statements: [
        { source: 'alpha', value: 4 },
        { source: 'zeta', value: 3 }
      ]
    }
  ])
  t.end()
})

t.test('names are compared language by language, and not knowing is no disagreement', t => {
  t.same(
    disagreementsOf([
      stated('a'),
      stated('b', { name: 'Eins', name_translations: { de: 'Eins' }, rarity: null, attributes: null })
    ]),
    []
  )
  t.match(disagreementsOf([stated('a'), stated('b', { name_translations: { en: 'Two' } })]), [
    { field: 'name_translations.en' }
  ])
  t.end()
})

t.test('what two sources write another way and mean alike is no disagreement', t => {
  const differ = (field: string, a: JsonValue, b: JsonValue): number =>
    disagreementsOf([stated('a', { [field]: a }), stated('b', { [field]: b })]).length
  const block = (value: JsonValue) => ({ block: value })
  for (const [field, a, b] of [
    ['attributes', block('1'), block(1)],
    ['attributes', block(['Red', 'Blue']), block(['blue', 'red'])],
    ['attributes', block('Red'), block(['Red'])],
    ['rarity', 'SP CARD', 'sp card'],
    ['name_translations', { en: 'Argh… Smash!' }, { en: 'Argh... Smash!' }],
    ['name_translations', { en: 'Ms.All Sunday' }, { en: 'Ms. All\u00a0Sunday' }],
    ['name_translations', { en: 'Bilbo’s' }, { en: "Bilbo's" }],
    ['name_translations', { ja: 'ＤＯＮ‼' }, { ja: 'DON!!' }],
    ['illustrators', ['A', 'B'], ['B', 'A']]
  ] as const)
    t.equal(differ(field, a, b), 0, JSON.stringify([a, b]))
  for (const [field, a, b] of [
    ['attributes', block('1'), block(10)],
    ['attributes', block(['Red']), block(['Red', 'Blue'])],
    ['rarity', 'R', 'SR'],
    ['name_translations', { en: 'One' }, { en: 'One!' }],
    ['illustrators', ['Wirawan'], ['Wírawan']]
  ] as const)
    t.equal(differ(field, a, b), 1, JSON.stringify([a, b]))
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
  const load = (id: string, name: string) =>
    importSource(database, plain(id), { folder: writeRows(folder, [{ id: 'a', name }]) })
  const held = async (): Promise<unknown> =>
    (await database.bulk.raw<{ rows: unknown[] }>('select sku, field, statements from disagreements')).rows
  await load('one', 'A')
  t.same(await held(), [])
  await load('two', 'B')
  t.same(await held(), [
    {
      sku: 'lan-ab1-001-en',
      field: 'name_translations.en',
      statements: [
        { source: 'one', value: 'A' },
        { source: 'two', value: 'B' }
      ]
    }
  ])
  await load('two', 'A')
  t.same(await held(), [])
})
