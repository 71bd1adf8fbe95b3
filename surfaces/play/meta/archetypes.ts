import { judge, type DeckFormat } from '../deck/legality.ts'
import { deckOf, type Starter } from '../practice/starters.ts'
import type { PrintedCard } from '../printings.ts'
import { ascending, frequent, type ValueTally } from './tally.ts'

/** The composition of a practice deck, and whether the format allows it. Each copy of a card counts. */
export type Archetype = Readonly<{
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

export function archetypeOf(starter: Starter, format: DeckFormat, cards: ReadonlyMap<string, PrintedCard>): Archetype {
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
