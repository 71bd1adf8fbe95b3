import t from 'tap'
import {
  baseNumber,
  copyLimit,
  countCopies,
  deckOf,
  deckViolationCodes,
  deckViolations,
  mainDeckSize,
  playCard,
  withoutCopyLimit,
  type DeckList,
  type PlayCard
} from '../../../surfaces/play/deck-rules.ts'
import { cards, starters, upstreamRows } from './practice/match-cards.ts'

const legal = deckOf(starters[0]!)
const codes = (deck: DeckList, known: ReadonlyMap<string, PlayCard> = cards): string[] =>
  deckViolations(deck, known).map(({ code }) => code)
const swapped = (...numbers: readonly string[]): DeckList => ({
  ...legal,
  main_deck_card_ids: [...numbers, ...legal.main_deck_card_ids.slice(numbers.length)]
})

t.test('an id in any of its forms means a card number', t => {
  for (const id of [
    'OP01-001',
    'op01-001',
    ' OP01-001 ',
    'OP01-001_p1',
    'op-op01-001-en',
    'op-op01-001-en-p1',
    'OP-OP01-001-JA'
  ])
    t.equal(baseNumber(id), 'OP01-001', id)
  t.equal(baseNumber('P-001'), 'P-001')
  t.equal(baseNumber('op-p-001-en'), 'P-001')
  t.equal(baseNumber('what is this'), 'WHAT IS THIS')
  t.same(
    [...countCopies(['ST01-003', 'op-st01-003-en', 'ST01-004'])],
    [
      ['ST01-003', 2],
      ['ST01-004', 1]
    ]
  )
  t.end()
})

t.test('the decks for practice are legal, real, and carry what the referee plays', t => {
  t.equal(starters.length, 4)
  const numbers = new Set(upstreamRows.map(({ card_number: number }) => number))
  for (const starter of starters) {
    const deck = deckOf(starter)
    t.same(deckViolations(deck, cards), [], starter.id)
    t.equal(deck.main_deck_card_ids.length, mainDeckSize)
    for (const number of [deck.leader_id, ...deck.main_deck_card_ids])
      if (!numbers.has(number)) t.fail(`${number} is no card of the bundled source`)
    t.same(
      [...new Set(deck.main_deck_card_ids)].filter(number => cards.get(number)?.category !== 'character'),
      [],
      'Characters only, because texts of Events and Stages are not played'
    )
    t.match(cards.get(deck.leader_id), { category: 'leader', life: 5, power: 5000 })
    t.equal(starter.list_status, 'starter-like')
    const keywords = new Set(
      deck.main_deck_card_ids.flatMap(number => [
        ...cards.get(number)!.keywords,
        ...(cards.get(number)!.trigger === null ? [] : ['trigger'])
      ])
    )
    t.ok(keywords.has('blocker') && keywords.has('trigger'), [...keywords].join())
  }
  t.end()
})

t.test('every rule is found broken, at both sides of its limit', t => {
  const seen = new Set<string>()
  const expect = (deck: DeckList, ...expected: readonly (typeof deckViolationCodes)[number][]): void => {
    const found = codes(deck)
    t.same([...new Set(found)], expected, expected.join() || 'legal')
    for (const code of found) seen.add(code)
  }
  expect(legal)
  expect({ ...legal, leader_id: 'OP99-001' }, 'leader_card_not_found')
  expect({ ...legal, leader_id: 'ST01-003' }, 'leader_is_not_a_leader')
  expect({ ...legal, main_deck_card_ids: legal.main_deck_card_ids.slice(1) }, 'main_deck_wrong_size')
  expect({ ...legal, main_deck_card_ids: [...legal.main_deck_card_ids, 'ST01-012'] }, 'main_deck_wrong_size')
  expect(swapped('ST01-001'), 'leader_in_main_deck')
  expect(swapped('OP99-002'), 'card_id_unknown')
  expect(swapped('ST02-002'), 'card_color_mismatch_with_leader')
  expect(swapped(...Array.from({ length: copyLimit }, () => 'ST01-012')))
  expect(swapped(...Array.from({ length: copyLimit }, () => 'ST01-012'), 'ST01-012_p1'), 'card_copy_limit_exceeded')
  const odd = new Map([...cards, ['ST01-012', { ...cards.get('ST01-012')!, category: 'don' }]])
  t.same(codes(swapped('ST01-012'), odd), ['card_not_main_deck_eligible'])
  for (const code of deckViolationCodes) t.ok(seen.has(code) || code === 'card_not_main_deck_eligible', code)
  t.match(deckViolations(swapped(...Array.from({ length: 7 }, () => 'ST01-012')), cards), [
    { card_id: 'ST01-012', detail: 7, message: /7 times/ }
  ])
  t.end()
})

t.test('a card that lifts its own limit may be in a deck in any number; those are the cards whose text says so', t => {
  const lifting = new Set(
    upstreamRows
      .filter(({ effects }) => /you may have any number of this card in your deck/.test(effects))
      .map(({ card_number: number }) => number)
  )
  t.same([...withoutCopyLimit].sort(), [...lifting].sort())
  const leader = [...cards.values()].find(({ category, colours }) => category === 'leader' && colours?.includes('blue'))
  t.same(
    codes({ leader_id: leader!.number, main_deck_card_ids: Array.from({ length: mainDeckSize }, () => 'OP01-075') }),
    []
  )
  t.end()
})

t.test('what the data does not say is not held against a deck', t => {
  const blank = new Map([...cards].map(([number, card]) => [number, { ...card, colours: null }]))
  t.same(codes(swapped('ST02-002'), blank), [])
  t.same(playCard({ card_number: 'X-001', name: null, attributes: null }), {
    number: 'X-001',
    name: 'X-001',
    category: null,
    colours: null,
    cost: null,
    power: null,
    counter: null,
    life: null,
    keywords: [],
    trigger: null
  })
  t.end()
})

t.test('keywords are those that a card always has', t => {
  const of = (number: string): unknown => [cards.get(number)?.keywords, cards.get(number)?.trigger]
  t.same(of('ST01-006'), [['blocker'], null])
  t.same(of('OP01-025'), [['rush'], null])
  t.same(of('OP04-014'), [['banish'], null])
  t.same(of('ST01-004'), [[], null], 'Rush under a condition')
  t.same(of('ST01-002'), [[], 'play'], 'speaks of Blocker, has none')
  t.same(of('OP03-022'), [[], null], 'speaks of Triggers, has none')
  t.same(of('ST02-015'), [[], 'other'])
  t.ok([...cards.values()].some(({ keywords }) => keywords.includes('double_attack')))
  t.end()
})
