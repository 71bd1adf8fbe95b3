import { naturalOrder } from '../../catalogue/natural-order.ts'
import { isRotatedOut, type Format } from '../deck/legality.ts'
import type { PrintedCard } from '../printings.ts'
import { ascending, frequent, type Tally } from './tally.ts'

/** A card of the pool: what all its printings say together. `set` is the canonical code of the set that its number names. */
export type PoolCard = PrintedCard & Readonly<{ rarity: string | null, set: string, types: readonly string[] }>

/** A table that is counted: by which rule, of how many cards. */
export type Table = Readonly<{ id: string, title: string, rule: string, input_count: number, rows: Tally }>

const verdicts = ['legal', 'legal, block unknown', 'rotated out', 'banned'] as const

/** What a format says of a card by itself. Two cards that may not be in one deck are each legal. */
function verdictOf (card: PoolCard, { banned, minimum_block: least }: Format): typeof verdicts[number] {
  if (banned.includes(card.number)) return 'banned'
  if (isRotatedOut(card, least)) return 'rotated out'
  return least !== null && card.blocks.length === 0 ? 'legal, block unknown' : 'legal'
}

/** The cards that a deck of the format may hold. */
export const legalPool = (pool: readonly PoolCard[], format: Format): readonly PoolCard[] => pool.filter(card => verdictOf(card, format).startsWith('legal'))

type Rule = Readonly<{ id: string, title: string, rule: string, of: (cards: readonly PoolCard[]) => readonly PoolCard[], rows: (cards: readonly PoolCard[]) => Tally }>

const all = (cards: readonly PoolCard[]): readonly PoolCard[] => cards
const leaders = (cards: readonly PoolCard[]): readonly PoolCard[] => cards.filter(({ category }) => category === 'leader')
const others = (cards: readonly PoolCard[]): readonly PoolCard[] => cards.filter(({ category }) => category !== 'leader')
const characters = (cards: readonly PoolCard[]): readonly PoolCard[] => cards.filter(({ category }) => category === 'character')
const mostTypes = 25

/** What is counted of the legal pool; one line for each table. */
const rules: readonly Rule[] = [
  { id: 'categories', title: 'Legal cards by category', rule: 'Each card once, by its category.', of: all, rows: cards => frequent(cards.flatMap(({ category }) => category ?? [])) },
  { id: 'colours', title: 'Legal cards by colour', rule: 'A card of two colours counts under both.', of: all, rows: cards => frequent(cards.flatMap(({ colours }) => colours ?? [])) },
  { id: 'leaders_by_colours', title: 'Leaders by their colours', rule: 'Leaders, each under its colours together.', of: leaders, rows: cards => frequent(cards.flatMap(({ colours }) => colours === null ? [] : [[...colours].sort().join('/')])) },
  { id: 'leaders_by_life', title: 'Leaders by Life', rule: 'Leaders, by their Life.', of: leaders, rows: cards => ascending(cards.map(({ life }) => life)) },
  { id: 'costs', title: 'Cost curve', rule: 'Characters, Events and Stages, by cost.', of: others, rows: cards => ascending(cards.map(({ cost }) => cost)) },
  { id: 'power', title: 'Characters by power', rule: 'Characters, by power.', of: characters, rows: cards => ascending(cards.map(({ power }) => power)) },
  { id: 'counters', title: 'Characters by counter', rule: 'Characters that have a counter, by its power.', of: characters, rows: cards => ascending(cards.map(({ counter }) => counter)) },
  { id: 'keywords', title: 'Cards with a keyword', rule: 'Cards that always have the keyword; one with two counts under both.', of: others, rows: cards => frequent(cards.flatMap(({ keywords }) => keywords)) },
  { id: 'triggers', title: 'Cards with a Trigger', rule: 'Cards by what their Trigger does: play the card, or something else.', of: others, rows: cards => frequent(cards.flatMap(({ trigger }) => trigger ?? [])) },
  { id: 'rarities', title: 'Legal cards by rarity', rule: 'Each card once, by the rarity of its ordinary printing.', of: all, rows: cards => frequent(cards.flatMap(({ rarity }) => rarity ?? [])) },
  { id: 'types', title: `The ${mostTypes} most frequent types`, rule: 'A card of several types counts under each.', of: all, rows: cards => frequent(cards.flatMap(({ types }) => types)).slice(0, mostTypes) },
  { id: 'blocks', title: 'Legal cards by block', rule: 'Each card once, by the latest block of its printings.', of: all, rows: cards => ascending(cards.map(({ blocks }) => blocks.at(-1) ?? null)) },
  {
    id: 'new_by_set', title: 'What each set brought', rule: 'Each card once, under the set that its number names.', of: all,
    rows: cards => [...frequent(cards.map(({ set }) => set))].sort((a, b) => naturalOrder(a.value, b.value))
  }
]

/** The tables of a format, of the cards that are held. */
export function tablesOf (pool: readonly PoolCard[], format: Format): readonly Table[] {
  const legal = legalPool(pool, format)
  const verdict: Table = {
    id: 'legality', title: 'All cards by what the format says of them', input_count: pool.length,
    rule: 'Each card once: on the list of bans, without a printing of the least block, or legal. Where no block is known the card is not judged by it.',
    rows: verdicts.map(value => ({ value, cards: pool.filter(card => verdictOf(card, format) === value).length }))
  }
  return [verdict, ...rules.map(({ id, title, rule, of, rows }): Table => {
    const cards = of(legal)
    return { id, title, rule, input_count: cards.length, rows: rows(cards) }
  })]
}
