import t from 'tap'
import { CatalogueCache } from '../../../surfaces/cards/kept.ts'
import { forgetSource, importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain, writeRows } from '../import/rows-on-disk.ts'

t.test(
  'facts are computed once for each state of the catalogue, and every import, also of another process, and every forgetting makes a state',
  async t => {
    const { database } = await testDatabase(t)
    const kept = new CatalogueCache(database)
    let computed = 0
    const cards = (): Promise<number> =>
      kept.of('cards', async () => {
        computed += 1
        const [row] = await database.bulk('cards').count<{ count: string }[]>()
        return Number(row?.count)
      })
    t.equal(await cards(), 0)
    const folder = writeRows(scratchFolder(t), [{ id: '1' }, { id: '2', number: '002' }])
    await importSource(database, plain('alpha'), { folder })
    t.strictSame(await Promise.all([cards(), cards(), cards()]), [2, 2, 2])
    t.equal(await cards(), 2)
    t.equal(computed, 2)
    await importSource(database, plain('alpha'), { folder, dryRun: true })
    t.equal(await cards(), 2)
    t.equal(computed, 2, 'what is rolled back is no state')
    await forgetSource(database, 'alpha')
    t.equal(await cards(), 0)
  }
)

t.test('a failure is not kept, and what was not asked for lately is forgotten', async t => {
  const { database } = await testDatabase(t)
  const kept = new CatalogueCache(database)
  await t.rejects(
    kept.of('x', () => Promise.reject(new Error('away'))),
    { message: 'away' }
  )
  t.equal(await kept.of('x', () => Promise.resolve(1)), 1)
  for (let other = 0; other < 63; other++) await kept.of(`other ${other}`, () => Promise.resolve(other))
  t.equal(await kept.of('x', () => Promise.resolve(2)), 1, 'the oldest of 64 is kept')
  for (let other = 0; other < 64; other++) await kept.of(`other ${other}`, () => Promise.resolve(other))
  t.equal(await kept.of('x', () => Promise.resolve(2)), 2, 'the oldest of 65 is not')
})

t.test('that there is none is a fact as well, and is computed once for all who ask', async t => {
  const { database } = await testDatabase(t)
  const kept = new CatalogueCache(database)
  let computed = 0
  const none = (): Promise<null> =>
    kept.of('none', () => {
      computed += 1
      return Promise.resolve(null)
    })
  t.strictSame(await Promise.all([none(), none(), none()]), [null, null, null])
  t.equal(await none(), null)
  t.equal(computed, 1)
})
