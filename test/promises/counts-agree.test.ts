import t from 'tap'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

type Data = Readonly<Record<string, unknown>>

const at = (data: unknown, ...path: (string | number)[]): unknown =>
  path.reduce((found, step) => (found as Data | undefined)?.[step], data)
const sum = (rows: unknown, member: string): number =>
  (rows as Data[]).reduce((total, row) => total + Number(row[member]), 0)

t.test('budget, coverage, data sets and the list of games count the same', async t => {
  const { url } = await bundledDatabase(t)
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const read = async (path: string): Promise<Data> => {
    const body = (await (await get(path)).json()) as Data
    return (body['data'] ?? body) as Data
  }
  const [budget, coverage, datasets, games] = await Promise.all(
    ['/api/v1/budget', '/api/v1/coverage', '/api/v1/datasets', '/api/v1/universal/games'].map(read)
  )
  const dataset = (id: string): unknown =>
    (at(datasets, 'datasets') as Data[]).find(one => one['id'] === id)?.['record_count']
  const cards = sum(at(games, 'games'), 'card_count')
  t.ok(cards > 20_000)
  t.same(
    {
      cards: [
        at(coverage, 'summary', 'distinct_cards'),
        dataset('card-catalog'),
        at(budget, 'catalog_size', 'cards_estimated')
      ],
      games: [at(coverage, 'summary', 'distinct_games'), at(budget, 'catalog_size', 'games_active')],
      sets: [dataset('structure'), at(budget, 'catalog_size', 'sets_total')]
    },
    {
      cards: [cards, cards, cards],
      games: (n => [n, n])((at(games, 'games') as Data[]).length),
      sets: (n => [n, n])(sum(at(games, 'games'), 'set_count'))
    }
  )
})
