/** What is stored of sets and games, the rows that queries read of them, and the lists that answers make of these. */
import type { CardFacts } from './card-fields.ts'

/** The stored facts of one set, which is identified by game and code. */
export type SetFacts = Readonly<{
  game: string
  set_code: string
  name: string | null
  /** An ISO 8601 date. */
  released_on: string | null
  /** The number of cards in the set, as the upstream declares it. */
  declared_total: number | null
  /** The number of printings in the catalogue, in all languages and variants. */
  card_count: number
}>

/** The stored facts of one game. */
export type GameFacts = Readonly<{
  game: string
  set_count: number
  card_count: number
  /** The sum of the totals that its sets declare; null when no set declares one. */
  declared_card_count: number | null
}>

/** A card with its set and game; each has the `@content_hash` of its document. */
export type CardInFull = Readonly<{
  card: CardFacts & { readonly content_hash: string }
  set: SetFacts & { content_hash: string }
  game: GameFacts & { content_hash: string }
}>
