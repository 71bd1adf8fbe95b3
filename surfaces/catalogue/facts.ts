export type { CardFacts } from './card-fields.ts'

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
