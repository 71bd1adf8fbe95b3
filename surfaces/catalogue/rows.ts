import { Type, closed, Count, nullable, NullableText, Text, type DataOf, type JsonValue } from 'pantry/data'

/**
 * A set as it is read: `content_hash` is the `@content_hash` of its document, `game_hash` that of its game. Times are
 * in ISO 8601.
 */
export const SetRow = closed({
  id: Type.Integer(),
  game: Text,
  set_code: Text,
  name: NullableText,
  released_on: NullableText,
  released_note: NullableText,
  declared_total: nullable(Count),
  card_count: Count,
  /** The number of different card numbers. */
  number_count: Count,
  content_hash: Text,
  first_seen_at: Text,
  game_hash: Text
})
export type SetRow = DataOf<typeof SetRow>

/**
 * Sums over the sets of a game that have a declared total and no more numbers than that: how many sets, and both
 * totals.
 */
export const GameCompleteness = closed({ game: Text, sets_compared: Count, number_count: Count, declared_total: Count })
export type GameCompleteness = DataOf<typeof GameCompleteness>

/** A game as it is read, with the first and last release dates of its sets. */
export const GameRow = closed({
  game: Text,
  set_count: Count,
  card_count: Count,
  declared_card_count: nullable(Count),
  content_hash: Text,
  first_seen_at: Text,
  updated_at: Text,
  first_set_released_at: NullableText,
  latest_set_released_at: NullableText
})
export type GameRow = DataOf<typeof GameRow>

/** The facts of a card that the document of its set lists. */
export const CardItem = closed({
  sku: Text,
  card_number: Text,
  lang: Text,
  name: NullableText,
  variant: Text,
  rarity: NullableText,
  content_hash: Text
})
export type CardItem = DataOf<typeof CardItem>

/** The cards of a set as its document lists them: canonical JSON, their number, and the SHA-256 of the text. */
export type SetListing = Readonly<{ items: string; cards: number; digest: string }>

/** The different values that sources state for one field of a card. */
export const Disagreement = closed({
  field: Text,
  statements: Type.Array(closed({ source: Text, value: Type.Unsafe<JsonValue>({}) }))
})
export type Disagreement = DataOf<typeof Disagreement>
