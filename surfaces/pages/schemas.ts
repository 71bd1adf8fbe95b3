/** The fields that pages use, of surfaces whose whole schema they do not need. */
import { Count, nullable, NullableText, Text, Texts, Type, type DataOf } from 'pantry/data'

/** The fields of `/api/v1/universal/card/{sku}` that pages use. */
export const ShownCard = Type.Object({
  '@content_hash': Text,
  sku: Text,
  illustrators: Type.Optional(nullable(Texts)),
  attributes: Type.Optional(nullable(Type.Record(Text, Type.Unknown())))
})

/** What came in a set: how many printings, and the SKUs of the first. */
export const PrintingsIn = Type.Object({ count: Count, printings: Type.Array(Text) })

/** The fields of `/api/v1/universal/set/{code}` that pages use. */
export const ShownSet = Type.Object({
  completeness: Type.Object({ declared_total: nullable(Count), total_counts: nullable(Text), basis: Text }),
  released_note: NullableText,
  printings_in: PrintingsIn
})

/** The fields of `/api/v1/universal/sets/{game}` that pages use. */
export const Completenesses = Type.Object({
  sets: Type.Array(
    Type.Object({
      set_code: Text,
      completeness: Type.Object({ held_numbers: Count, declared_total: nullable(Count), total_counts: nullable(Text) })
    })
  )
})

/** The fields of `/api/v1/games` that pages use. */
export const GameNames = Type.Object({
  games: Type.Array(
    Type.Object({ token: Text, name: Text, short_name: Text, slug: Text, publisher: Text, curated: Type.Boolean() })
  )
})

/** The fields of `/api/v1/games/{token}` that pages use. */
export const ShownGame = Type.Object({ game: Type.Object({ slug: Text, name: Text, curated: Type.Boolean() }) })

/** Returns the names of games by their tokens; a token without a game stays. */
export const gameNamesOf = (held: DataOf<typeof GameNames> | undefined, tokens: readonly string[]): string =>
  tokens.map(token => held?.games.find(game => game.token === token)?.short_name ?? token).join(', ')

/** The fields of `/api/v1/universal/games` that pages use. */
export const HeldGames = Type.Object({
  games: Type.Array(
    Type.Object({
      target_natural_token: Text,
      set_count: Count,
      card_count: Count,
      latest_set_released_at: NullableText
    })
  )
})

/** The fields of `/api/v1/guides` that pages use. */
export const GuideIndex = Type.Object({
  welcome: Text,
  guides: Type.Array(
    Type.Object({ slug: Text, title: Text, subtitle: Text, estimated_minutes: Count, step_count: Count })
  )
})

/** The fields of `/api/v1/coverage` that pages use. */
export const ShownCoverage = Type.Object({
  summary: Type.Object({
    distinct_cards: Count,
    distinct_games: Count,
    distinct_sources: Count,
    unassigned_observations: Count,
    earliest_snapshot: NullableText,
    latest_snapshot: NullableText
  }),
  by_game: Type.Array(Type.Object({ game_name: Text, game_slug: Text, sources: Texts, distinct_cards: Count })),
  by_source: Type.Array(
    Type.Object({ source: Text, games: Texts, distinct_cards: Count, latest_snapshot: NullableText })
  ),
  matrix: Type.Object({
    states: Type.Record(Text, Text),
    rows: Type.Array(Type.Object({ source: Text, status: NullableText, cells: Type.Record(Text, Text) }))
  })
})

/** Returns a function that returns the URL of the same set page with changed query parameters. */
export const setLinks =
  (path: string, now: Readonly<Record<string, string>>) =>
  (change: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams({ ...now, ...change }).toString()}`

/** Returns a function that returns the URL of the page of a card number, from the path of its set page. */
export const cardLinks =
  (path: string) =>
  (number: string): string =>
    `${path}/${encodeURIComponent(number.toLowerCase())}`
