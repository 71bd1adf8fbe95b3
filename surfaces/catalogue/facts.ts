import type { JsonObject } from '../../core/canonical/json.ts'

/** What is held of one printing of a card. Nothing here is a price, an image, a shop identifier or a link. */
export type CardFacts = Readonly<{
  /** Canonical SKU, see `sku.ts`. */
  sku: string
  game: string
  /** As the upstream writes it. */
  set_code: string
  /** As printed. */
  card_number: string
  /** Lowercase language tag (BCP 47). */
  lang: string
  /** Empty for the ordinary printing. */
  variant: string
  name: string | null
  /** Names by language tag (lowercase BCP 47); `name` is among them, under the language it is in. */
  name_translations: JsonObject | null
  rarity: string | null
  illustrators: readonly string[] | null
  /** Structural attributes: category, colours, cost, power … */
  attributes: JsonObject | null
  /** Ids of the sources that observed the card, sorted. */
  sources: readonly string[]
}>

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
