export type { CardFacts } from './card-fields.ts'

/** What is held of one set; keyed by game and code. */
export type SetFacts = Readonly<{
  game: string
  set_code: string
  name: string | null
  /** ISO 8601 date. */
  released_on: string | null
  /** Number of cards the upstream says the set has. */
  declared_total: number | null
  /** Number of printings held, in all languages and variants. */
  card_count: number
}>

/** What is held of one game. */
export type GameFacts = Readonly<{
  game: string
  set_count: number
  card_count: number
  /** Sum of the totals its sets declare; null when no set declares one. */
  declared_card_count: number | null
}>
