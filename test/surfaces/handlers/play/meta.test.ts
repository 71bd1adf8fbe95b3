import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'
import { compositionOf } from '../../../../surfaces/play/meta/composition.ts'
import { playCard } from '../../../../surfaces/play/play-card.ts'
import { openPool } from '../../../../core/database/pool.ts'
import { bulkLimits } from '../../../../core/database/connection.ts'
import { silent } from '../../../../core/database/log.ts'

type Tally = { value: string, cards: number }[]
type Snapshot = { as_of: string, card_pool: { cards: number, leaders: number, by_category: Tally, leaders_by_life: Tally, cost_curve: Tally } }

t.test('a pool is counted by card number', t => {
  const card = (attributes: Record<string, string | number | string[]>) => playCard({ card_number: 'OP01-001', name: null, attributes })
  const { by_colour: colours, leaders_by_colours: leaders, cost_curve: costs, cards } = compositionOf([
    card({ category: 'leader', colours: ['Red', 'Green'], life: 4 }), card({ category: 'event', colours: ['Green'], cost: 10 }), card({ category: 'event', cost: 2 })
  ])
  t.equal(cards, 3)
  t.strictSame(colours, [{ value: 'green', cards: 2 }, { value: 'red', cards: 1 }])
  t.strictSame(leaders, [{ value: 'green/red', cards: 1 }])
  t.strictSame(costs, [{ value: '2', cards: 1 }, { value: '10', cards: 1 }], 'costs are ordered as numbers')
  t.end()
})

t.test('the snapshot of the bundled cards', async t => {
  const { url } = await bundledDatabase(t)
  const knex = openPool({ url }, bulkLimits, 1, silent)
  t.teardown(() => knex.destroy())
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const snapshot = async (): Promise<Snapshot> => (await (await get('/api/v1/play/meta')).json() as { data: Snapshot }).data
  const { card_pool: pool, as_of: asOf } = await snapshot()
  const { rows: [counted] } = await knex.raw<{ rows: { cards: number, leaders: number }[] }>(`
    select count(distinct card_number)::int as cards, count(distinct card_number) filter (where attributes ->> 'category' = 'leader')::int as leaders from cards where game = 'op'`)
  t.equal(pool.cards, counted?.cards)
  t.equal(pool.leaders, counted?.leaders)
  t.equal(pool.by_category.reduce((sum, { cards }) => sum + cards, 0), pool.cards)
  t.match(asOf, /^\d{4}-\d{2}-\d{2}$/)

  await knex.raw("delete from cards where game = 'op' and card_number = 'OP01-001'")
  t.equal((await snapshot()).card_pool.cards, pool.cards, 'what is counted stays until an import')
  await knex.raw("insert into runs (source, status, started_at, finished_at) values ('x', 'succeeded', now(), now())")
  t.equal((await snapshot()).card_pool.cards, pool.cards - 1)
})
