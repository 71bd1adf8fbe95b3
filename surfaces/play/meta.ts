import { naturalOrder } from '../cards/numbers.ts'
import { isRotatedOut, judge, type DeckFormat } from './deck-legality.ts'
import { deckOf, type PrintedCard, type Starter } from './deck-rules.ts'

/** The number of cards with each value. */
type ValueTally = readonly Readonly<{ value: string; cards: number }>[]

/** Counts values, the most frequent first. */
export const frequent = (values: readonly string[]): ValueTally =>
  count(values).sort((a, b) => b.cards - a.cards || (a.value < b.value ? -1 : 1))
/** Counts numbers in ascending order; nulls are left out. */
export const ascending = (values: readonly (number | string | null)[]): ValueTally =>
  count(values.filter(value => value !== null).map(String)).sort((a, b) => Number(a.value) - Number(b.value))

function count(values: readonly string[]): { value: string; cards: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, cards]) => ({ value, cards }))
}

/** Returns the colours of a card as one value, such as `blue/red`; null if they are unknown. */
export const colourPair = ({ colours }: Pick<PrintedCard, 'colours'>): string | null =>
  colours === null ? null : [...colours].sort().join('/')

/** A card of the pool; `set` is the canonical code of its set. */
export type PoolCard = PrintedCard & Readonly<{ rarity: string | null; set: string; types: readonly string[] }>

const verdicts = ['legal', 'legal, block unknown', 'rotated out', 'banned'] as const

/** Returns what a format says of one card. Two cards that may not be in one deck together are each legal. */
function verdictOf(card: PoolCard, { banned, minimum_block: least }: DeckFormat): (typeof verdicts)[number] {
  if (banned.includes(card.number)) return 'banned'
  if (isRotatedOut(card, least)) return 'rotated out'
  return least !== null && card.blocks.length === 0 ? 'legal, block unknown' : 'legal'
}

const legalPool = (pool: readonly PoolCard[], format: DeckFormat): readonly PoolCard[] =>
  pool.filter(card => verdictOf(card, format).startsWith('legal'))

/**
 * A table of the legal pool. `of` selects the cards that it considers, by default all; their number is `input_count`.
 */
type TableRule = Readonly<{
  id: string
  title: string
  rule: string
  of?: (card: PoolCard) => boolean
  /** Returns the values under which a card counts. A card without a value is in no row. */
  values: (card: PoolCard) => readonly string[] | string | number | null | undefined
  /** How the values are counted: the most frequent first by default. */
  order?: (values: readonly string[]) => ValueTally
}>

const isLeader = ({ category }: PoolCard): boolean => category === 'leader'
const isCharacter = ({ category }: PoolCard): boolean => category === 'character'
const isInMainDeck = (card: PoolCard): boolean => !isLeader(card)
const maxTypes = 25

const tableRules: readonly TableRule[] = [
  {
    id: 'categories',
    title: 'Legal cards by category',
    rule: 'Each card once, by its category.',
    values: ({ category }) => category
  },
  {
    id: 'colours',
    title: 'Legal cards by colour',
    rule: 'A card of two colours counts under both.',
    values: ({ colours }) => colours
  },
  {
    id: 'leaders_by_colours',
    title: 'Leaders by their colours',
    rule: 'Leaders, each under its colours together.',
    of: isLeader,
    values: colourPair
  },
  {
    id: 'leaders_by_life',
    title: 'Leaders by Life',
    rule: 'Leaders, by their Life.',
    of: isLeader,
    values: ({ life }) => life,
    order: ascending
  },
  {
    id: 'costs',
    title: 'Cost curve',
    rule: 'Characters, Events and Stages, by cost.',
    of: isInMainDeck,
    values: ({ cost }) => cost,
    order: ascending
  },
  {
    id: 'power',
    title: 'Characters by power',
    rule: 'Characters, by power.',
    of: isCharacter,
    values: ({ power }) => power,
    order: ascending
  },
  {
    id: 'counters',
    title: 'Characters by counter',
    rule: 'Characters that have a counter, by its power.',
    of: isCharacter,
    values: ({ counter }) => counter,
    order: ascending
  },
  {
    id: 'keywords',
    title: 'Cards with a keyword',
    rule: 'Cards that always have the keyword; one with two counts under both.',
    of: isInMainDeck,
    values: ({ keywords }) => keywords
  },
  {
    id: 'triggers',
    title: 'Cards with a Trigger',
    rule: 'Cards by what their Trigger does: play the card, or something else.',
    of: isInMainDeck,
    values: ({ trigger }) => trigger
  },
  {
    id: 'rarities',
    title: 'Legal cards by rarity',
    rule: 'Each card once, by the rarity of its ordinary printing.',
    values: ({ rarity }) => rarity
  },
  {
    id: 'types',
    title: `The ${maxTypes} most frequent types`,
    rule: 'A card of several types counts under each.',
    values: ({ types }) => types,
    order: values => frequent(values).slice(0, maxTypes)
  },
  {
    id: 'blocks',
    title: 'Legal cards by block',
    rule: 'Each card once, by the latest block of its printings.',
    values: ({ blocks }) => blocks.at(-1),
    order: ascending
  },
  {
    id: 'new_by_set',
    title: 'What each set brought',
    rule: 'Each card once, under the set that its number names.',
    values: ({ set }) => set,
    order: values => [...frequent(values)].sort((a, b) => naturalOrder(a.value, b.value))
  }
]

/**
 * Returns the tables of a format: how many cards were considered, and how many of these have no value and so are in no
 * row.
 */
export function tablesOf(pool: readonly PoolCard[], format: DeckFormat) {
  const legal = legalPool(pool, format)
  const verdict = {
    id: 'legality',
    title: 'All cards by what the format says of them',
    input_count: pool.length,
    without_value: 0,
    rule: 'Each card once: on the list of bans, without a printing of the least block, or legal. Where no block is known the card is not judged by it.',
    rows: verdicts.map(value => ({ value, cards: pool.filter(card => verdictOf(card, format) === value).length }))
  }
  return [
    verdict,
    ...tableRules.map(({ id, title, rule, of = () => true, values, order = frequent }) => {
      const valuesByCard = legal.filter(of).map(card => {
        const found = values(card) ?? []
        return typeof found === 'object' ? found : [String(found)]
      })
      return {
        id,
        title,
        rule,
        input_count: valuesByCard.length,
        without_value: valuesByCard.filter(({ length }) => length === 0).length,
        rows: order(valuesByCard.flat())
      }
    })
  ]
}

const rule =
  'The main deck of the entry in the corpus `play-decks`, each card as often as the deck has it, by what the catalogue holds of it; `input_count` is how many of them it holds.'

/** Returns the composition of a practice deck: each copy of a card counts. */
function archetypeOf(starter: Starter, format: DeckFormat, cards: ReadonlyMap<string, PrintedCard>) {
  const deck = deckOf(starter)
  const known = deck.main_deck_card_ids.flatMap(number => cards.get(number) ?? [])
  const codes = [...new Set(judge(deck, format, cards).violations.map(({ code }) => code))].sort()
  return {
    deck: starter.id,
    title: starter.title,
    leader: starter.leader,
    leader_colours: cards.get(starter.leader)?.colours ?? null,
    legal: codes.length === 0,
    violation_codes: codes,
    rule,
    input_count: known.length,
    categories: frequent(known.flatMap(({ category }) => category ?? [])),
    costs: ascending(known.map(({ cost }) => cost)),
    counters: ascending(known.map(({ counter }) => counter)),
    keywords: frequent(known.flatMap(({ keywords }) => keywords))
  }
}

type Computed = Readonly<{
  formats: readonly DeckFormat[]
  starters: readonly Starter[]
  tables: readonly ReturnType<typeof tablesOfFormat>[]
}>
const cache = new WeakMap<readonly PoolCard[], Computed>()

/** Returns the tables of each format, cached per card pool while formats and practice decks are the same. */
export function formatTables(
  pool: readonly PoolCard[],
  formats: readonly DeckFormat[],
  starters: readonly Starter[]
): Computed['tables'] {
  const cached = cache.get(pool)
  if (cached?.formats === formats && cached.starters === starters) return cached.tables
  const cards = new Map(pool.map(card => [card.number, card]))
  const tables = formats.map(format => tablesOfFormat(pool, format, starters, cards))
  cache.set(pool, { formats, starters, tables })
  return tables
}

function tablesOfFormat(
  pool: readonly PoolCard[],
  format: DeckFormat,
  starters: readonly Starter[],
  cards: ReadonlyMap<string, PoolCard>
) {
  const legal = legalPool(pool, format)
  return {
    format,
    legal_pool: { cards: legal.length, leaders: legal.filter(isLeader).length },
    tables: tablesOf(pool, format),
    archetypes: starters.map(starter => archetypeOf(starter, format, cards))
  }
}
