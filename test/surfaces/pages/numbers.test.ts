import t from 'tap'
import { byNumber, countRarities, ordersOf, sortedBy } from '../../../surfaces/pages/card-face.tsx'

const printing = (
  card_number: string,
  name: string,
  rarity: string | null,
  attributes: Record<string, unknown> | null,
  lang = 'en'
) => ({ sku: `x-a-${card_number}-${lang}`, card_number, name, rarity, lang, variant: null, attributes })

const cards = byNumber([
  printing('001', 'Bee', 'C', { power: 10, colours: ['Red'] }),
  printing('001', 'ビー', 'C', { power: 10 }, 'ja'),
  printing('002', 'Ant', 'R', { power: 9, note: 'x' }),
  printing('003', 'Cow', null, null),
  printing('004', 'Dog', 'C', { power: 100 })
])
const numbers = (order: string): string[] => sortedBy(cards, order).map(({ number }) => number)

t.test('printings of a number are one card, named as the first of them', async t => {
  t.same(
    cards.map(({ number, name, printings }) => [number, name, printings.length]),
    [
      ['001', 'Bee', 2],
      ['002', 'Ant', 1],
      ['003', 'Cow', 1],
      ['004', 'Dog', 1]
    ]
  )
})

t.test('a set is sorted by what most of it has, numbers as numbers, and what has no value comes last', async t => {
  t.same(ordersOf(cards), ['number', 'name', 'rarity', 'printings', 'power'])
  t.same(numbers('number'), ['001', '002', '003', '004'])
  t.same(numbers('name'), ['002', '001', '003', '004'])
  t.same(numbers('rarity'), ['001', '004', '002', '003'])
  t.same(numbers('power'), ['002', '001', '004', '003'])
  t.same(numbers('printings'), ['001', '002', '003', '004'])
  t.same(numbers('-number'), ['004', '003', '002', '001'])
  t.same(numbers('-power'), ['004', '001', '002', '003'])
  t.same(numbers('-printings'), ['002', '003', '004', '001'])
})

t.test('rarities are counted by number', async t => {
  t.same(countRarities(cards), [
    { label: 'C', value: 2 },
    { label: 'R', value: 1 },
    { label: 'not given', value: 1 }
  ])
})
