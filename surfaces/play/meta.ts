import { naturalOrder } from '../cards/numbers.ts'
import { isRotatedOut, judge, type DeckFormat } from './deck-legality.ts'
import { deckOf, type PrintedCard, type Starter } from './deck-rules.ts'

/** The number of cards with each value. */
export type ValueTally = readonly Readonly<{ value: string; cards: number }>[]

/** Counts values, the most frequent first. */
export const frequent = (values: readonly string[]): ValueTally =>
  count(values).sort((a, b) => b.cards - a.cards || (a.value < b.value ? -1 : 1))
/** Counts numbers in ascending order; nulls are left out. */
export const ascending = (values: readonly (number | null)[]): ValueTally =>
  count(values.filter(value => value !== null).map(String)).sort((a, b) => Number(a.value) - Number(b.value))

function count(values: readonly string[]): { value: string; cards: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, cards]) => ({ value, cards }))
}

/** A card of the pool, combined from all its printings. `set` is the canonical code of its set. */
export type PoolCard = PrintedCard & Readonly<{ rarity: string | null; set: string; types: readonly string[] }>

/**
 * A table of counts: its rule, the number of cards considered, and how many of these have no value and so are in no
 * row.
 */
type MetaTable = Readonly<{
  id: string
  title: string
  rule: string
  input_count: number
  without_value: number
  rows: ValueTally
}>

const verdicts = ['legal', 'legal, block unknown', 'rotated out', 'banned'] as const

/** Returns what a format says about a card by itself. Two cards that may not be in one deck together are each legal. */
function verdictOf(card: PoolCard, { banned, minimum_block: least }: DeckFormat): (typeof verdicts)[number] {
  if (banned.includes(card.number)) return 'banned'
  if (isRotatedOut(card, least)) return 'rotated out'
  return least !== null && card.blocks.length === 0 ? 'legal, block unknown' : 'legal'
}

/** Returns the cards that decks of the format may contain. */
const legalPool = (pool: readonly PoolCard[], format: DeckFormat): readonly PoolCard[] =>
  pool.filter(card => verdictOf(card, format).startsWith('legal'))

type Order = (values: readonly string[]) => ValueTally
type Rule = Readonly<{
  id: string
  title: string
  rule: string
  of: (cards: readonly PoolCard[]) => readonly PoolCard[]
  values: (card: PoolCard) => readonly string[]
  order: Order
}>

const all = (cards: readonly PoolCard[]): readonly PoolCard[] => cards
const only =
  (category: string) =>
  (cards: readonly PoolCard[]): readonly PoolCard[] =>
    cards.filter(card => card.category === category)
const leaders = only('leader')
const characters = only('character')
const others = (cards: readonly PoolCard[]): readonly PoolCard[] =>
  cards.filter(({ category }) => category !== 'leader')

/** Returns a value as a list of one string; an empty list when it is unknown. */
const known = (value: string | number | null | undefined): readonly string[] =>
  value === null || value === undefined ? [] : [String(value)]
const byNumber: Order = values => ascending(values.map(Number))
const bySet: Order = values => [...frequent(values)].sort((a, b) => naturalOrder(a.value, b.value))
const mostTypes = 25

/** The tables that are computed for the legal pool, one entry per table. */
const rules: readonly Rule[] = [
  {
    id: 'categories',
    title: 'Legal cards by category',
    rule: 'Each card once, by its category.',
    of: all,
    values: ({ category }) => known(category),
    order: frequent
  },
  {
    id: 'colours',
    title: 'Legal cards by colour',
    rule: 'A card of two colours counts under both.',
    of: all,
    values: ({ colours }) => colours ?? [],
    order: frequent
  },
  {
    id: 'leaders_by_colours',
    title: 'Leaders by their colours',
    rule: 'Leaders, each under its colours together.',
    of: leaders,
    values: ({ colours }) => known(colours === null ? null : [...colours].sort().join('/')),
    order: frequent
  },
  {
    id: 'leaders_by_life',
    title: 'Leaders by Life',
    rule: 'Leaders, by their Life.',
    of: leaders,
    values: ({ life }) => known(life),
    order: byNumber
  },
  {
    id: 'costs',
    title: 'Cost curve',
    rule: 'Characters, Events and Stages, by cost.',
    of: others,
    values: ({ cost }) => known(cost),
    order: byNumber
  },
  {
    id: 'power',
    title: 'Characters by power',
    rule: 'Characters, by power.',
    of: characters,
    values: ({ power }) => known(power),
    order: byNumber
  },
  {
    id: 'counters',
    title: 'Characters by counter',
    rule: 'Characters that have a counter, by its power.',
    of: characters,
    values: ({ counter }) => known(counter),
    order: byNumber
  },
  {
    id: 'keywords',
    title: 'Cards with a keyword',
    rule: 'Cards that always have the keyword; one with two counts under both.',
    of: others,
    values: ({ keywords }) => keywords,
    order: frequent
  },
  {
    id: 'triggers',
    title: 'Cards with a Trigger',
    rule: 'Cards by what their Trigger does: play the card, or something else.',
    of: others,
    values: ({ trigger }) => known(trigger),
    order: frequent
  },
  {
    id: 'rarities',
    title: 'Legal cards by rarity',
    rule: 'Each card once, by the rarity of its ordinary printing.',
    of: all,
    values: ({ rarity }) => known(rarity),
    order: frequent
  },
  {
    id: 'types',
    title: `The ${mostTypes} most frequent types`,
    rule: 'A card of several types counts under each.',
    of: all,
    values: ({ types }) => types,
    order: values => frequent(values).slice(0, mostTypes)
  },
  {
    id: 'blocks',
    title: 'Legal cards by block',
    rule: 'Each card once, by the latest block of its printings.',
    of: all,
    values: ({ blocks }) => known(blocks.at(-1)),
    order: byNumber
  },
  {
    id: 'new_by_set',
    title: 'What each set brought',
    rule: 'Each card once, under the set that its number names.',
    of: all,
    values: ({ set }) => [set],
    order: bySet
  }
]

/** Returns the tables of a format for the card pool. */
export function tablesOf(pool: readonly PoolCard[], format: DeckFormat): readonly MetaTable[] {
  const legal = legalPool(pool, format)
  const verdict: MetaTable = {
    id: 'legality',
    title: 'All cards by what the format says of them',
    input_count: pool.length,
    without_value: 0,
    rule: 'Each card once: on the list of bans, without a printing of the least block, or legal. Where no block is known the card is not judged by it.',
    rows: verdicts.map(value => ({ value, cards: pool.filter(card => verdictOf(card, format) === value).length }))
  }
  return [
    verdict,
    ...rules.map(({ id, title, rule, of, values, order }): MetaTable => {
      const stated = of(legal).map(values)
      return {
        id,
        title,
        rule,
        input_count: stated.length,
        without_value: stated.filter(({ length }) => length === 0).length,
        rows: order(stated.flat())
      }
    })
  ]
}

/** The composition of a practice deck, and whether the format allows it. Each copy of a card counts. */
type Archetype = Readonly<{
  deck: string
  title: string
  leader: string
  leader_colours: readonly string[] | null
  legal: boolean
  violation_codes: readonly string[]
  rule: string
  input_count: number
  categories: ValueTally
  costs: ValueTally
  counters: ValueTally
  keywords: ValueTally
}>

const rule =
  'The main deck of the entry in the corpus `play-decks`, each card as often as the deck has it, by what the catalogue holds of it; `input_count` is how many of them it holds.'

function archetypeOf(starter: Starter, format: DeckFormat, cards: ReadonlyMap<string, PrintedCard>): Archetype {
  const deck = deckOf(starter)
  const held = deck.main_deck_card_ids.flatMap(number => cards.get(number) ?? [])
  const codes = [...new Set(judge(deck, format, cards).violations.map(({ code }) => code))].sort()
  return {
    deck: starter.id,
    title: starter.title,
    leader: starter.leader,
    leader_colours: cards.get(starter.leader)?.colours ?? null,
    legal: codes.length === 0,
    violation_codes: codes,
    rule,
    input_count: held.length,
    categories: frequent(held.flatMap(({ category }) => category ?? [])),
    costs: ascending(held.map(({ cost }) => cost)),
    counters: ascending(held.map(({ counter }) => counter)),
    keywords: frequent(held.flatMap(({ keywords }) => keywords))
  }
}

/** Everything that is computed for one format. */
type FormatTables = Readonly<{
  format: DeckFormat
  legal_pool: Readonly<{ cards: number; leaders: number }>
  tables: readonly MetaTable[]
  archetypes: readonly Archetype[]
}>

type Kept = Readonly<{ formats: readonly DeckFormat[]; starters: readonly Starter[]; made: readonly FormatTables[] }>
const kept = new WeakMap<readonly PoolCard[], Kept>()

/** Returns the tables of each format, in the order of the formats. They are cached per card pool. */
export function formatTables(
  pool: readonly PoolCard[],
  formats: readonly DeckFormat[],
  starters: readonly Starter[]
): readonly FormatTables[] {
  const before = kept.get(pool)
  if (before?.formats === formats && before.starters === starters) return before.made
  const cards = new Map(pool.map(card => [card.number, card]))
  const made = formats.map((format): FormatTables => {
    const legal = legalPool(pool, format)
    return {
      format,
      legal_pool: { cards: legal.length, leaders: legal.filter(({ category }) => category === 'leader').length },
      tables: tablesOf(pool, format),
      archetypes: starters.map(starter => archetypeOf(starter, format, cards))
    }
  })
  kept.set(pool, { formats, starters, made })
  return made
}
