/** What is stored of sets and games, the rows that queries read of them, and the lists that answers make of these. */
import {
  closed,
  Count,
  nullable,
  NullableText,
  Path,
  Text,
  Texts,
  Type,
  type DataOf,
  type JsonValue
} from 'pantry/data'
import type { CardFacts } from './card-fields.ts'

/** The stored facts of one set, which is identified by game and code. */
export type SetFacts = Readonly<{
  game: string
  set_code: string
  name: string | null
  /** The date of the release (ISO 8601). */
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

/**
 * SQL that tells whether the declared total of a set counts numbers and not, say, the copies in a deck: so many are
 * held, or those that were seen span so many, and more are not held. `s`: the set, `n`: its numbers.
 */
export const countsNumbers = `coalesce(s.declared_total > 0 and s.number_count <= s.declared_total
  and (s.number_count = s.declared_total or n.highest - n.lowest + 1 >= s.declared_total), false)`

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
  /** The number of different card numbers that the catalogue has of the set. */
  number_count: Count,
  /** Whether the declared total counts numbers, as far as the numbers that were seen show. */
  counts_numbers: Type.Boolean(),
  /** Ids of the sources that observed its cards, sorted. */
  sources: Texts,
  content_hash: Text,
  first_seen_at: Text,
  game_hash: Text
})
export type SetRow = DataOf<typeof SetRow>

/**
 * Sums over the sets of a game whose declared total counts numbers: the count of these sets, their numbers, and their
 * declared totals. `sets_left_out`: the count of the other sets that declare a total.
 */
export const GameCompleteness = closed({
  game: Text,
  sets_compared: Count,
  sets_left_out: Count,
  number_count: Count,
  declared_total: Count
})
export type GameCompleteness = DataOf<typeof GameCompleteness>

/** A game as it is read, with the first and last release dates of its sets. */
export const GameRow = closed({
  game: Text,
  set_count: Count,
  card_count: Count,
  declared_card_count: nullable(Count),
  sources: Texts,
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

/** The most printings that the document of a set lists under `printings_in`. */
export const maxListedPrintings = 1000

/**
 * The cards of a set, and the printings that came in it, as its document lists them: canonical JSON, how many there
 * are, and a SHA-256 of all of it. At most `maxListedPrintings` printings are listed.
 */
export type SetListing = Readonly<{
  items: string
  cards: number
  printings: string
  printing_count: number
  digest: string
}>

/** The different values that sources state for one field of a card. */
export const Disagreement = closed({
  field: Text,
  statements: Type.Array(closed({ source: Text, value: Type.Unsafe<JsonValue>({}) }))
})
export type Disagreement = DataOf<typeof Disagreement>

/** The most sets that `NewestSets` lists. */
export const maxNewestSets = 48

/** The schema of the most recently released sets. */
export const NewestSets = closed({
  count: Count,
  until: Type.String({ format: 'date', description: 'Today in UTC; sets that are released later are left out.' }),
  sets: Type.Array(
    closed({
      game: Text,
      game_slug: nullable(
        Type.String({ description: 'The slug of its guide; null for a game that has no name here.' })
      ),
      game_name: Text,
      code: Text,
      printed_code: Text,
      name: NullableText,
      released_at: Type.String({ format: 'date' }),
      card_count: Type.Integer({ minimum: 0, description: 'Printings held, in all languages and variants.' }),
      path: Path
    }),
    { maxItems: maxNewestSets }
  )
})

/** The schema of the completeness of sets, per game. */
export const GamesCompleteness = closed({
  count: Count,
  games: Type.Array(
    closed({
      game: Text,
      sets_compared: Type.Integer({
        minimum: 0,
        description:
          'Sets whose declared total counts numbers: so many are held, or those that were seen span so many, and more are not held.'
      }),
      sets_left_out: Type.Integer({
        minimum: 0,
        description: 'Sets that declare a total which may count something else, such as the copies in a deck.'
      }),
      held_numbers: Type.Integer({
        minimum: 0,
        description: 'Distinct numbers held of those sets, in any language and variant.'
      }),
      declared_total: Type.Integer({ minimum: 0, description: 'What sources declare for those sets.' }),
      decimal: nullable(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The part that is held; null where no set can be compared.'
        })
      )
    })
  )
})
