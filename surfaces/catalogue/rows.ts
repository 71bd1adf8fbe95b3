import { Type, closed, Count, nullable, NullableText, Text, type DataOf } from 'pantry/data'

/** A set as it is read: `content_hash` is its document's `@content_hash`, `game_hash` that of its game. Times are ISO 8601. */
export const SetRow = closed({
  id: Type.Integer(),
  game: Text,
  set_code: Text,
  name: NullableText,
  released_on: NullableText,
  released_note: NullableText,
  declared_total: nullable(Count),
  card_count: Count,
  /** Cards told apart by number only. */
  number_count: Count,
  content_hash: Text,
  first_seen_at: Text,
  game_hash: Text
})
export type SetRow = DataOf<typeof SetRow>

/** A game as it is read, with the release dates of its sets. */
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

/** What a set's document lists of a card. */
export const CardItem = closed({ sku: Text, card_number: Text, lang: Text, name: NullableText, variant: Text, rarity: NullableText, content_hash: Text })
export type CardItem = DataOf<typeof CardItem>

/** The cards of a set as its document lists them: canonical JSON, how many they are, and the SHA-256 of the text. */
export type SetListing = Readonly<{ items: string, cards: number, digest: string }>
