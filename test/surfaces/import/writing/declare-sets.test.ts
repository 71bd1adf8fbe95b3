// test: slow.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkSource } from '../../../../surfaces/import/checks/check-source.ts'
import { importSource } from '../../../../surfaces/importer.ts'
import type { Source } from '../../../../surfaces/import/source.ts'
import { cardFolder, withoutCards } from '../../../support/card-folder.ts'
import { testDatabase } from '../../../support/database.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { declaredSources } from '../bundled-sources.ts'
import { plain, writeRows } from '../rows-on-disk.ts'

const { database } = await testDatabase(t)
const held = async (columns: string): Promise<unknown> =>
  (await database.bulk.raw<{ rows: unknown[] }>(`select ${columns} from declared_sets order by source, code_key`)).rows
const source: Source = {
  ...plain(),
  reader: {
    ...plain().reader!,
    sets: {
      files: [{ shape: 'json', path: 'sets.json' }],
      rows: [{ as: 'set' }],
      map: {
        game: { const: 'lan' },
        code: 'set.code',
        name: 'set.name',
        released_on: 'set.date',
        declared_total: 'set.size'
      }
    }
  }
}

t.test(
  'what a source declares of its sets is held, also of those without a card, and replaced by the next import',
  async t => {
    const folder = writeRows(scratchFolder(t), [{ id: 'a' }])
    const declare = async (sets: readonly object[]): Promise<void> => {
      writeFileSync(join(folder, 'sets.json'), JSON.stringify(sets))
      await importSource(database, source, { folder })
    }
    await declare([
      { code: 'AB1', name: 'One', date: '2024/02/29', size: 1 },
      { code: 'ZZ', size: -99 },
      { code: 'zz', name: 'Later' },
      { name: 'No code' }
    ])
    t.same(await held('source, game, code, code_key, name, released_on, declared_total'), [
      {
        source: 'plain',
        game: 'lan',
        code: 'AB1',
        code_key: 'ab1',
        name: 'One',
        released_on: '2024-02-29',
        declared_total: 1
      },
      { source: 'plain', game: 'lan', code: 'ZZ', code_key: 'zz', name: null, released_on: null, declared_total: null }
    ])
    await declare([{ code: 'ZZ' }])
    t.same(await held('code'), [{ code: 'ZZ' }])
    await importSource(database, plain(), { folder })
    t.same(await held('code'), [], 'a declaration that is gone declares nothing')
  }
)

t.test('names that are no loop of the sets are refused with their place', t => {
  const wrong = {
    ...source,
    reader: { ...source.reader!, sets: { ...source.reader!.sets!, map: { game: { const: 'lan' }, code: 'row.code' } } }
  }
  t.match(
    checkSource(
      wrong,
      () => true,
      () => undefined
    ),
    [{ pointer: ['reader', 'sets', 'map', 'code'], message: 'There is no loop `row`.' }]
  )
  t.end()
})

t.test('sets that real sources declare', { skip: withoutCards }, async t => {
  for (const [id, sets] of [
    ['pokemon-tcg-data', 161],
    ['swccg-card-json', 67],
    ['vtescsv', 113]
  ] as const) {
    // Three of the 116 lines of vtessets.csv have a quotation mark where none can be, and are no rows.
    await importSource(database, declaredSources().get(id)!, {
      folder: join(cardFolder ?? '', id),
      conditionsMet: true
    })
    const { rows } = await database.bulk.raw<{ rows: unknown[] }>('select from declared_sets where source = ?', [id])
    t.equal(rows.length, sets, id)
  }
})
