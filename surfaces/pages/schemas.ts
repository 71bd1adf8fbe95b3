import { Type, nullable, NullableText, Text } from 'pantry/data'

/** Schemas of the fields that pages use of surfaces whose whole schema they do not need. */

const Count = Type.Integer({ minimum: 0 })

/** The fields of `/api/v1/universal/card/{sku}` that pages use. */
export const ShownCard = Type.Object({
  '@content_hash': Text,
  sku: Text,
  card_number: Text,
  game: Text,
  set_code: Text,
  lang: Text,
  name: Type.Optional(Type.Object({ natural_token: NullableText, available_languages: Type.Array(Text) })),
  rarity: Type.Optional(nullable(Type.Object({ natural_label: NullableText }))),
  variant: Type.Optional(nullable(Type.Object({ natural_label: NullableText }))),
  illustrators: Type.Optional(nullable(Type.Array(Text))),
  attributes: Type.Optional(nullable(Type.Record(Text, Type.Unknown()))),
  publication_boundary: Type.Optional(Type.Record(Text, Text))
})

/** The fields of `/api/v1/universal/set/{code}` that pages use. */
export const ShownSet = Type.Object({
  '@content_hash': Text,
  completeness: Type.Object({ held_numbers: Count, declared_total: nullable(Count), basis: Text }),
  released_note: NullableText
})

/** The fields of `/api/v1/universal/sets/{game}` that pages use. */
export const Completenesses = Type.Object({
  sets: Type.Array(
    Type.Object({ set_code: Text, completeness: Type.Object({ held_numbers: Count, declared_total: nullable(Count) }) })
  )
})

/** The fields of `/api/v1/games` that pages use. */
export const GameNames = Type.Object({
  games: Type.Array(
    Type.Object({ token: Text, name: Text, short_name: Text, slug: Text, publisher: Text, curated: Type.Boolean() })
  )
})

/** The fields of `/api/v1/universal/games` that pages use. */
export const HeldGames = Type.Object({
  games: Type.Array(
    Type.Object({
      target_natural_token: Text,
      set_count: Count,
      card_count: Count,
      declared_card_count: nullable(Count),
      first_set_released_at: NullableText,
      latest_set_released_at: NullableText
    })
  )
})

/** The fields of `/api/v1/coverage` that pages use. */
export const ShownCoverage = Type.Object({
  summary: Type.Object({
    total_observations: Count,
    distinct_cards: Count,
    distinct_games: Count,
    distinct_sources: Count,
    unassigned_observations: Count,
    earliest_snapshot: NullableText,
    latest_snapshot: NullableText
  }),
  by_game: Type.Array(
    Type.Object({
      game_code: Text,
      game_name: Text,
      game_slug: Text,
      sources: Type.Array(Text),
      observations: Count,
      distinct_cards: Count,
      latest_snapshot: NullableText
    })
  ),
  by_source: Type.Array(
    Type.Object({
      source: Text,
      games: Type.Array(Text),
      observations: Count,
      distinct_cards: Count,
      latest_snapshot: NullableText
    })
  ),
  matrix: Type.Object({
    states: Type.Record(Text, Text),
    rows: Type.Array(Type.Object({ source: Text, status: Text, cells: Type.Record(Text, Text) }))
  })
})

/** Returns a function that links to the same set page with changed query parameters. */
export const setLinks =
  (path: string, now: Readonly<Record<string, string>>) =>
  (change: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams({ ...now, ...change }).toString()}`

/** Returns a function that links from a set page to the page of a card number. */
export const cardLinks =
  (path: string) =>
  (number: string): string =>
    `${path}/${encodeURIComponent(number.toLowerCase())}`
