import { Type } from 'pantry/data'
import type { DataOf } from 'pantry/data'
import type { DeckList } from '../deck-rules.ts'

/** A practice deck from the corpus `play-decks`. */
export const Starter = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  leader: Type.String(),
  main_deck: Type.Record(Type.String(), Type.Integer()),
  list_status: Type.Enum(['starter-like'])
})
export type Starter = DataOf<typeof Starter>

export const deckOf = ({ leader, main_deck: main }: Starter): DeckList => ({
  leader_id: leader,
  main_deck_card_ids: Object.entries(main).flatMap(([number, count]) => Array.from({ length: count }, () => number))
})
