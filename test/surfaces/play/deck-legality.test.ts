import t from 'tap'
import { judge, type DeckFormat } from '../../../surfaces/play/deck-legality.ts'
import type { PrintedCard } from '../../../surfaces/play/deck-rules.ts'

const plain: DeckFormat = {
  id: 'standard',
  name: 'Standard',
  as_of: '2026-08-22',
  minimum_block: null,
  banned: [],
  banned_pairs: [],
  source: null,
  unsure: true,
  note: ''
}
const card = (number: string, more: Partial<PrintedCard> = {}): PrintedCard => ({
  number,
  name: `Card ${number}`,
  category: 'character',
  colours: ['red'],
  cost: 1,
  power: 1000,
  counter: null,
  life: null,
  keywords: [],
  trigger: null,
  blocks: [2],
  ...more
})
const leader = card('OP99-001', { category: 'leader', colours: ['red', 'green'], life: 5, cost: null })
const numbers = Array.from({ length: 13 }, (_, index) => `OP99-${String(index + 2).padStart(3, '0')}`)
const cardsOf = (...more: PrintedCard[]): Map<string, PrintedCard> =>
  new Map([leader, ...numbers.map(number => card(number)), ...more].map(each => [each.number, each]))
/** Twelve times four and twice the last: a legal deck. */
const fifty = numbers.flatMap((number, index) => Array.from({ length: index < 12 ? 4 : 2 }, () => number))
const deckOf = (main: readonly string[], leaderId = leader.number) => ({
  leader_id: leaderId,
  main_deck_card_ids: main
})
const codes = (
  main: readonly string[],
  options: { format?: Partial<DeckFormat>; cards?: Map<string, PrintedCard>; leaderId?: string } = {}
): string[] =>
  judge(deckOf(main, options.leaderId), { ...plain, ...options.format }, options.cards ?? cardsOf()).violations.map(
    ({ code }) => code
  )

t.test('a legal deck has no violation', async t => {
  t.same(codes(fifty), [])
})

t.test('fifty cards, no more and no fewer', async t => {
  t.same(codes(fifty.slice(1)), ['main_deck_wrong_size'])
  t.same(codes([...fifty, numbers[12] ?? '']), ['main_deck_wrong_size'])
  t.same(codes([]), ['main_deck_wrong_size'])
})

t.test('four copies of a number, whatever the printing', async t => {
  const [first = ''] = numbers
  const fifth = [...fifty.slice(0, -1), `${first.toLowerCase()}_p1`]
  t.same(judge(deckOf(fifth), plain, cardsOf()).violations, [
    {
      code: 'card_copy_limit_exceeded',
      message: `${first} is 5 times in the deck; 4 are the limit.`,
      card_id: first,
      detail: 5
    }
  ])
  const free = card('OP01-075')
  t.same(
    codes([...Array.from({ length: 50 }, () => free.number)], { cards: cardsOf(free) }),
    [],
    'a card whose text lifts the limit'
  )
})

t.test('one shared colour is enough, none is not, unknown is not judged', async t => {
  const swap = (other: PrintedCard): string[] => codes([...fifty.slice(0, -1), other.number], { cards: cardsOf(other) })
  t.same(swap(card('OP98-001', { colours: ['green', 'black'] })), [])
  t.same(swap(card('OP98-001', { colours: ['black'] })), ['card_color_mismatch_with_leader'])
  t.same(swap(card('OP98-001', { colours: null })), [])
  const { coloursUnknown } = judge(deckOf(['OP98-001']), plain, cardsOf(card('OP98-001', { colours: null })))
  t.same(coloursUnknown, ['OP98-001'])
})

t.test('who leads, and who may not lie in the deck', async t => {
  t.same(codes(fifty, { leaderId: 'OP97-001' }), ['leader_card_not_found'])
  t.same(codes(fifty, { leaderId: numbers[0] ?? '' }), ['leader_is_not_a_leader'])
  t.same(codes([...fifty.slice(0, -1), leader.number]), ['leader_in_main_deck'])
  t.same(codes([...fifty.slice(0, -1), 'OP97-001']), ['card_id_unknown'])
  t.same(codes([...fifty.slice(0, -1), 'OP98-001'], { cards: cardsOf(card('OP98-001', { category: 'don' })) }), [
    'card_not_main_deck_eligible'
  ])
})

t.test('bans, pairs and rotation belong to the format', async t => {
  const [first = '', second = ''] = numbers
  t.same(codes(fifty, { format: { banned: [first] } }), ['card_banned'])
  t.same(codes(fifty, { format: { banned: [leader.number] } }), ['card_banned'], 'a Leader too')
  t.same(codes(fifty, { format: { banned_pairs: [[first, second]] } }), ['banned_pair_present'])
  t.same(codes(fifty, { format: { banned_pairs: [[first, 'OP97-001']] } }), [], 'one of a pair')
  t.same(
    codes(fifty, { format: { banned_pairs: [[first, leader.number]] } }),
    ['banned_pair_present'],
    'a pair with the Leader'
  )
  t.same(codes(fifty, { format: { minimum_block: 2 } }), [])
  t.same([...new Set(codes(fifty, { format: { minimum_block: 3 } }))], ['card_rotated_out'])
  const reprinted = card(first, { blocks: [1, 3] })
  const old = card(first, { blocks: [1] })
  t.same(codes(fifty, { format: { minimum_block: 2 }, cards: cardsOf(reprinted) }), [], 'a reprint counts')
  t.same(codes(fifty, { format: { minimum_block: 2 }, cards: cardsOf(old) }), ['card_rotated_out'])
  const unknown = judge(deckOf(fifty), { ...plain, minimum_block: 2 }, cardsOf(card(first, { blocks: [] })))
  t.same(unknown, { violations: [], coloursUnknown: [], blocksUnknown: [first] })
})

t.test('everything at once', async t => {
  t.same(
    codes(['OP97-001', leader.number, ...Array.from({ length: 5 }, () => numbers[0] ?? '')], {
      format: { banned: [numbers[0] ?? ''] }
    }),
    ['main_deck_wrong_size', 'card_id_unknown', 'leader_in_main_deck', 'card_copy_limit_exceeded', 'card_banned']
  )
})
