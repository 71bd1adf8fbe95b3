import fc from 'fast-check'
import t from 'tap'
import { daysLater } from '../../../surfaces/common/calendar.ts'
import { cardsOfDay, shownSets, type ListedCard } from '../../../surfaces/cards/showcase.ts'

const listed = (number: number, more: Partial<ListedCard> = {}): ListedCard => ({
  target_natural_token: `op-op01-${number}-en`,
  target_hash: String((number * 7919) % 1000).padStart(4, '0'),
  card_number: `OP01-${number}`,
  name: `Card ${number}`,
  variant: null,
  rarity: 'C',
  ...more
})
const set = Array.from({ length: 30 }, (_, at) => listed(at))
const day = '2026-11-30'

t.test('the newest set of each game is shown, of two games, and none of a few numbers', t => {
  const row = (game: string, count: number): { game: string; number_count: number } => ({ game, number_count: count })
  t.same(shownSets([row('a', 23), row('a', 24), row('a', 90), row('b', 24), row('c', 24)]), [
    row('a', 24),
    row('b', 24)
  ])
  t.same(shownSets([row('a', 1)]), [])
  t.end()
})

t.test('all numbers take their turn before one comes again', t => {
  const seen = Array.from({ length: 30 }, (_, at) => cardsOfDay(set, daysLater(day, at), 2)).flat()
  t.equal(seen.length, 120)
  for (const { card_number: number } of set) t.equal(seen.filter(card => card.card_number === number).length, 4, number)
  t.not(cardsOfDay(set, day, 1)[0]?.card_number, cardsOfDay(set, daysLater(day, 1), 1)[0]?.card_number)
  t.end()
})

t.test('the cards take their turn in any year', t => {
  for (const day of ['1999-12-31', '2025-06-01', '2026-01-01', '2031-02-03'])
    t.same(
      cardsOfDay(set, day, 2).map(({ name }) => typeof name),
      ['string', 'string', 'string', 'string'],
      day
    )
  t.end()
})

t.test('a number is shown once, as its ordinary printing, and not without a name', t => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 4000 }), (count, later) => {
      const numbers = Array.from({ length: count }, (_, at) => [
        listed(at, { variant: 'p1', target_natural_token: `op-op01-${at}-en-p1`, target_hash: `${at}` }),
        listed(at),
        listed(100 + at, { name: null })
      ]).flat()
      const shown = cardsOfDay(numbers, daysLater(day, later), 1)
      return (
        shown.length === Math.min(8, count) &&
        new Set(shown.map(({ card_number: number }) => number)).size === shown.length &&
        shown.every(({ variant, name }) => variant === null && name.startsWith('Card'))
      )
    })
  )
  t.end()
})
