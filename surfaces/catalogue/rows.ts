import type { GameFacts, SetFacts } from './facts.ts'

/** A set as it is read: `content_hash` is its document's `@content_hash`, `game_hash` that of its game. */
export type SetRow = SetFacts & Readonly<{
  id: number
  content_hash: string
  game_hash: string
  released_note: string | null
  /** ISO 8601. */
  first_seen_at: string
}>

/** A game as it is read, with the release dates of its sets. */
export type GameRow = GameFacts & Readonly<{
  content_hash: string
  first_set_released_at: string | null
  latest_set_released_at: string | null
  first_seen_at: string
  updated_at: string
}>

/** What a set's document lists of a card. */
export type CardItem = Readonly<{ sku: string, card_number: string, lang: string, variant: string, rarity: string | null, content_hash: string }>
