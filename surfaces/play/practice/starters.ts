import type { Entry } from 'pantry/handler'
import type { DeckList } from '../deck-rules.ts'

/** A deck that everybody may practise with, as `corpora/play-decks` holds it. */
export type Starter = Readonly<{
  id: string
  title: string
  description: string
  leader: string
  main_deck: Readonly<Record<string, number>>
  list_status: string
}>

// The schema of the corpus has made sure of the form of its entries.
export const startersOf = (entries: readonly Entry[]): readonly Starter[] => entries as unknown as readonly Starter[]

export const deckOf = ({ leader, main_deck: main }: Starter): DeckList => ({
  leader_id: leader,
  main_deck_card_ids: Object.entries(main).flatMap(([number, count]) => Array.from({ length: count }, () => number))
})
