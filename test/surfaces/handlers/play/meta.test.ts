import t from 'tap'
import { bundledDatabase } from '../../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'
import { compositionOf } from '../../../../surfaces/play/card-pool.ts'
import type { DeckFormat } from '../../../../surfaces/play/deck-legality.ts'
import { bumpCatalogueVersion } from '../../../../surfaces/cards/writing.ts'
import { tablesOf, type PoolCard } from '../../../../surfaces/play/meta.ts'
import { playCard } from '../../../../surfaces/play/deck-rules.ts'
import { openPool } from '../../../../core/database/pool.ts'
import { bulkLimits, silent } from '../../../../core/database/connection.ts'

type Tally = { value: string; cards: number }[]
type Table = { id: string; rule: string; input_count: number; without_value: number; rows: Tally }
type Archetype = { deck: string; legal: boolean; rule: string; input_count: number; categories: Tally }
type FormatContext = {
  format: string
  minimum_block: number | null
  banned_count: number
  legal_pool: { cards: number; leaders: number }
  tables: Table[]
  archetypes: Archetype[]
}
type Snapshot = {
  as_of: string
  data_window: {
    from: string
    to: string
    numbered_boosters: { first: string; last: string }
    blocks: { first: number; last: number }
  }
  format_context: FormatContext[]
  card_pool: { cards: number; leaders: number; by_category: Tally; leaders_by_life: Tally; cost_curve: Tally }
}

t.test('a pool is counted by card number', t => {
  const card = (attributes: Record<string, string | number | string[]>) =>
    playCard({ card_number: 'OP01-001', name: null, attributes })
  const {
    by_colour: colours,
    leaders_by_colours: leaders,
    cost_curve: costs,
    cards
  } = compositionOf([
    card({ category: 'leader', colours: ['Red', 'Green'], life: 4 }),
    card({ category: 'event', colours: ['Green'], cost: 10 }),
    card({ category: 'event', cost: 2 })
  ])
  t.equal(cards, 3)
  t.strictSame(colours, [
    { value: 'green', cards: 2 },
    { value: 'red', cards: 1 }
  ])
  t.strictSame(leaders, [{ value: 'green/red', cards: 1 }])
  t.strictSame(
    costs,
    [
      { value: '2', cards: 1 },
      { value: '10', cards: 1 }
    ],
    'costs are ordered as numbers'
  )
  t.end()
})

t.test('a table counts the cards that its format allows, and names its rule', t => {
  const card = (number: string, given: Partial<PoolCard> = {}): PoolCard => ({
    number,
    name: number,
    category: 'character',
    colours: ['red'],
    cost: 1,
    power: 2000,
    counter: null,
    life: null,
    keywords: [],
    trigger: null,
    blocks: [2],
    rarity: 'C',
    set: 'op01',
    types: [],
    ...given
  })
  const format: DeckFormat = {
    id: 'standard',
    name: 'Standard',
    as_of: '2026-01-01',
    minimum_block: 2,
    banned: ['A-002'],
    banned_pairs: [],
    source: null,
    unsure: true,
    note: ''
  }
  const pool = [
    card('A-001', { keywords: ['rush', 'blocker'] }),
    card('A-002'),
    card('A-003', { blocks: [1] }),
    card('A-004', { blocks: [] }),
    card('A-005', { category: 'leader', colours: ['red', 'green'], blocks: [1, 3], life: 4 })
  ]
  const tables = tablesOf(pool, format)
  const rowsOf = (id: string): Tally => [...(tables.find(table => table.id === id)?.rows ?? [])]
  t.strictSame(rowsOf('legality'), [
    { value: 'legal', cards: 2 },
    { value: 'legal, block unknown', cards: 1 },
    { value: 'rotated out', cards: 1 },
    { value: 'banned', cards: 1 }
  ])
  t.strictSame(rowsOf('keywords'), [
    { value: 'blocker', cards: 1 },
    { value: 'rush', cards: 1 }
  ])
  t.strictSame(rowsOf('leaders_by_colours'), [{ value: 'green/red', cards: 1 }])
  t.strictSame(
    rowsOf('blocks'),
    [
      { value: '2', cards: 1 },
      { value: '3', cards: 1 }
    ],
    'by the latest block of its printings'
  )
  const withoutOf = (id: string) => tables.find(table => table.id === id)?.without_value
  t.same(
    [
      withoutOf('categories'),
      withoutOf('keywords'),
      withoutOf('blocks'),
      withoutOf('leaders_by_life'),
      withoutOf('power')
    ],
    [0, 1, 1, 0, 0],
    'cards without a value are counted'
  )
  t.same(
    tables.filter(({ rule, input_count: count, without_value: without }) => rule === '' || count < without),
    []
  )
  t.equal(new Set(tables.map(({ id }) => id)).size, tables.length)
  t.end()
})

t.test('the snapshot of the bundled cards', async t => {
  const { url } = await bundledDatabase(t)
  const knex = openPool({ url }, bulkLimits, 1, silent)
  t.teardown(() => knex.destroy())
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const snapshot = async (): Promise<Snapshot> =>
    ((await (await get('/api/v1/play/meta')).json()) as { data: Snapshot }).data
  const { card_pool: pool, as_of: asOf } = await snapshot()
  const {
    rows: [counted]
  } = await knex.raw<{ rows: { cards: number; leaders: number }[] }>(`
    select count(distinct card_number)::int as cards, count(distinct card_number) filter (where attributes ->> 'category' = 'leader')::int as leaders from cards where game = 'op'`)
  t.equal(pool.cards, counted?.cards)
  t.equal(pool.leaders, counted?.leaders)
  t.equal(
    pool.by_category.reduce((sum, { cards }) => sum + cards, 0),
    pool.cards
  )
  t.match(asOf, /^\d{4}-\d{2}-\d{2}$/)
  const {
    data_window: { from, to, numbered_boosters: boosters, blocks },
    format_context: formats
  } = await snapshot()
  t.ok(from <= to && to === asOf, 'the window has both ends')
  t.match(boosters.first, 'op01')
  t.ok(blocks.first < blocks.last)
  for (const { format, tables, archetypes, legal_pool: legal, minimum_block: block, banned_count: banned } of formats) {
    t.ok(tables.length >= 8, format)
    t.same(
      tables.filter(({ rule, rows, input_count: count }) => rule === '' || rows.length === 0 || count === 0),
      [],
      format
    )
    for (const { id, rows, input_count: count, without_value: without } of tables) {
      if (!['colours', 'keywords', 'types'].includes(id))
        t.equal(
          rows.reduce((sum, { cards }) => sum + cards, 0) + without,
          count,
          `${format} ${id}: each card is in a row or has no value`
        )
    }
    const verdicts = Object.fromEntries(tables[0]?.rows.map(({ value, cards }) => [value, cards]) ?? [])
    t.equal(
      Object.values(verdicts).reduce((sum, cards) => sum + cards, 0),
      pool.cards,
      `${format}: each card has one verdict`
    )
    t.equal(verdicts['rotated out'] === 0, block === null, format)
    t.equal(verdicts['banned'], banned, format)
    t.equal((verdicts['legal'] ?? 0) + (verdicts['legal, block unknown'] ?? 0), legal.cards)
    for (const { deck, rule, input_count: count, categories } of archetypes) {
      t.equal(count, 50, `${deck} is held`)
      t.equal(
        categories.reduce((sum, { cards }) => sum + cards, 0),
        count,
        rule
      )
    }
    t.equal(
      archetypes.every(archetype => archetype.legal),
      block === null,
      `${format}: decks of the first block are legal where there is no rotation`
    )
  }

  await knex.raw("delete from cards where game = 'op' and card_number = 'OP01-001'")
  t.equal((await snapshot()).card_pool.cards, pool.cards, 'what is counted stays until the catalogue changes')
  await knex.transaction(bumpCatalogueVersion)
  t.equal((await snapshot()).card_pool.cards, pool.cards - 1)
})
