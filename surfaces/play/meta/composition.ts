import type { PlayCard } from '../play-card.ts'
import { ascending, frequent, type Tally } from './tally.ts'

/** What a card pool is made of. Cards are numbers: printings and languages count once. */
export type Composition = Readonly<{
  cards: number
  leaders: number
  by_category: Tally
  /** A card of two colours counts under both. */
  by_colour: Tally
  leaders_by_colours: Tally
  leaders_by_life: Tally
  /** Characters, Events and Stages by cost, ascending. */
  cost_curve: Tally
  counters: Tally
  with_keyword: Tally
}>

export function compositionOf(cards: readonly PlayCard[]): Composition {
  const leaders = cards.filter(({ category }) => category === 'leader')
  const others = cards.filter(({ category }) => category !== 'leader')
  return {
    cards: cards.length,
    leaders: leaders.length,
    by_category: frequent(cards.flatMap(({ category }) => category ?? [])),
    by_colour: frequent(cards.flatMap(({ colours }) => colours ?? [])),
    leaders_by_colours: frequent(
      leaders.flatMap(({ colours }) => (colours === null ? [] : [[...colours].sort().join('/')]))
    ),
    leaders_by_life: ascending(leaders.map(({ life }) => life)),
    cost_curve: ascending(others.map(({ cost }) => cost)),
    counters: ascending(others.map(({ counter }) => counter)),
    with_keyword: frequent(cards.flatMap(({ keywords }) => keywords))
  }
}
