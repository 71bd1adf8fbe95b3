import type { PlayCard } from '../play-card.ts'
import { ascending, frequent, type ValueTally } from './tally.ts'

/** Counts of a card pool. Cards are counted by number: printings and languages count once. */
export type Composition = Readonly<{
  cards: number
  leaders: number
  by_category: ValueTally
  /** A card of two colours is counted under both. */
  by_colour: ValueTally
  leaders_by_colours: ValueTally
  leaders_by_life: ValueTally
  /** Characters, Events and Stages by cost, ascending. */
  cost_curve: ValueTally
  counters: ValueTally
  with_keyword: ValueTally
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
