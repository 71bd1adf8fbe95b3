import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { filteredDrawer } from '../../../surfaces/cards/filtered-draw.ts'
import { CatalogueCache } from '../../../surfaces/cards/kept.ts'
import { cardDrawer } from '../../../surfaces/cards/open.ts'
import { random } from '../../../surfaces/handlers/cards.ts'
import type { Services } from '../../../surfaces/services.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { registryOf } from '../../support/registry.ts'
import { requestOf } from './ask.ts'
import { searchOver } from './search/ask-search.ts'

const isLeader = ['category', (value: string | number) => value === 'leader'] as const
const isRed = ['colours', (value: string | number) => value === 'Red'] as const

type Held = Readonly<{
  sku: string
  game: string
  set: string
  rarity: string | null
  attributes: Readonly<Record<string, unknown>> | null
}>

const { url } = await bundledDatabase(t)
const { database, services: searching } = await searchOver(t, url)
const kept = new CatalogueCache(database)
const drawCard = cardDrawer(database)
const drawFiltered = filteredDrawer(database, kept, drawCard)
const services = { ...searching, drawCard, drawFiltered } as unknown as Services
const { registry } = await registryOf()
const corpora = { attributes: registry.corpora.get('attributes')! }

const held = await database
  .bulk('cards')
  .join('sets', 'sets.id', 'cards.set_id')
  .select<Held[]>('sku', 'cards.game', 'sets.code_key as set', 'rarity', 'attributes')

async function ask(query: Readonly<Record<string, string | number>>) {
  const rawQuery = new Map(Object.entries(query).map(([name, value]) => [name, [String(value)]]))
  const { data } = await random.handle(requestOf({ query, rawQuery, corpora }), services)
  t.same(compileSchema(random.reply)(data), [])
  return data as { drawn_from: number; card: { sku: string } }
}

const of = (card: Held, name: string): readonly unknown[] => [card.attributes?.[name] ?? []].flat()
const number = (card: Held, name: string): number => Number(of(card, name)[0] ?? NaN)

/** Filters of One Piece cards, as a request writes them, each with the cards that it means. */
const table: readonly (readonly [
  query: Readonly<Record<string, string | number>>,
  isMeant: (card: Held) => boolean
])[] = [
  [{ rarity: 'sec' }, ({ rarity }) => rarity === 'SEC'],
  [{ rarity: 'Secret Rare' }, ({ rarity }) => rarity === 'SEC'],
  [{ 'attribute.colours': 'red' }, card => of(card, 'colours').includes('Red')],
  [{ 'attribute.cost': 10 }, card => number(card, 'cost') === 10],
  [{ 'attribute.cost.min': 9 }, card => number(card, 'cost') >= 9],
  [
    { set: 'OP05', 'attribute.cost.min': 2, 'attribute.cost.max': 4, 'attribute.colours': 'Blue' },
    card =>
      card.set === 'op05' &&
      number(card, 'cost') >= 2 &&
      number(card, 'cost') <= 4 &&
      of(card, 'colours').includes('Blue')
  ],
  [
    { 'attribute.category': 'leader', 'attribute.colours': 'Red', rarity: 'L', set: 'op01' },
    card =>
      card.set === 'op01' &&
      card.rarity === 'L' &&
      of(card, 'colours').includes('Red') &&
      of(card, 'category').includes('leader')
  ]
]

t.test('every card that a filter means has the same share, and no other card is drawn', async t => {
  let drawnBefore = 0
  const counted = filteredDrawer(
    { bulk: database.bulk, rows: async (schema, query) => await database.rows(schema, (drawnBefore++, query)) },
    new CatalogueCache(database),
    drawCard
  )
  for (const wanted of [[isLeader], [isLeader, isRed]]) {
    const meant = held
      .filter(card => card.game === 'op')
      .filter(card => wanted.every(([name, isMeant]) => of(card, name).some(value => isMeant(String(value)))))
      .map(({ sku }) => sku)
    t.ok(meant.length > 20)
    const drawn = await Promise.all(meant.map((_, at) => counted('op', wanted, (at + 0.5) / meant.length)))
    t.strictSame(drawn.map(one => one?.sku).sort(), meant.sort())
    for (const one of drawn) t.equal(one?.drawn_from, meant.length)
  }
  t.equal(drawnBefore, 1, 'the cards of the game are read once')
})

t.test('a request draws among the cards that all its filters mean', async t => {
  for (const [filters, isMeant] of table) {
    const meant = held.filter(card => card.game === 'op' && isMeant(card)).map(({ sku }) => sku)
    t.ok(meant.length > 0, JSON.stringify(filters))
    const { drawn_from: from, card } = await ask({ game: 'one-piece', ...filters })
    t.equal(from, meant.length, JSON.stringify(filters))
    t.ok(meant.includes(card.sku), JSON.stringify(filters))
  }
})

t.test('filters that no card meets are a 404 that says so, and those that none can meet a 400', async t => {
  await t.rejects(ask({ game: 'op', set: 'op01', 'attribute.cost': 77 }), {
    code: 'NOT_FOUND',
    message: 'No card of `op01` is all that is asked for.',
    details: { field: 'attribute.cost', filters: ['attribute.cost'], values: '/api/v1/search/values?game=op' }
  })
  await t.rejects(ask({ game: 'op', rarity: 'nothing' }), { code: 'NOT_FOUND', details: { field: 'rarity' } })
  await t.rejects(ask({ game: 'op', set: 'atlantis', rarity: 'SR' }), { code: 'NOT_FOUND', details: { field: 'set' } })
  await t.rejects(ask({ rarity: 'SR' }), { code: 'INVALID_INPUT', details: { field: 'game' } })
  await t.rejects(ask({ game: 'op', 'attribute.pitch': '1' }), {
    code: 'INVALID_INPUT',
    details: { field: 'attribute.pitch' }
  })
  await t.rejects(ask({ game: 'op', 'attribute.cost.min': 5, 'attribute.cost.max': 3 }), {
    code: 'INVALID_INPUT',
    details: { field: 'attribute.cost.min' }
  })
})

t.test('a card that was drawn while the catalogue changed is drawn again', async t => {
  let asked = 0
  const changing = (changes: number) =>
    filteredDrawer(
      database,
      {
        of: async (key, compute) => await kept.of(key, compute),
        version: async () => await Promise.resolve(String(Math.min(asked++, changes)))
      },
      drawCard
    )
  t.ok(await changing(1)('op', [isRed], 0.5), 'the second draw is of one version')
  t.equal(asked, 4)
  asked = 0
  await t.rejects(changing(Infinity)('op', [isRed], 0.5), { code: 'SOURCE_UNAVAILABLE' })
  t.equal(asked, 6)
})
