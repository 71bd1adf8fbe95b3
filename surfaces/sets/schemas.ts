import { Type, closed, Count, nullable, NullableText, Path, Text } from 'pantry/data'

/** The most sets in one response. */
export const mostNewest = 48

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
    { maxItems: mostNewest }
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
        description: 'Sets for which a source declares a total, and of which no more numbers are held than that.'
      }),
      held_numbers: Type.Integer({
        minimum: 0,
        description: 'Distinct numbers held of those sets, in any language and variant.'
      }),
      declared_total: Type.Integer({
        minimum: 0,
        description:
          'What their sources declare for those sets. Some count the copies in a deck, so that a whole set of numbers looks incomplete.'
      }),
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
