import { Type, nullable, NullableText, Text, Texts, type DataOf } from 'pantry/data'

const Count = Type.Integer({ minimum: 1 })

/** A booster described by a named source; used in the corpus `pulls` and in responses. */
export const Booster = Type.Object({
  name: Text,
  languages: Texts,
  sets: Type.Optional(Texts),
  cards_per_booster: Count,
  boosters_per_display: nullable(Count),
  displays_per_case: Type.Optional(Count),
  slots: nullable(Type.Array(Type.Object({ cards: Count, holds: Text }))),
  rates: Type.Array(
    Type.Object({
      rarity: Text,
      cards: Type.Number({
        description: 'Cards of the rarity in so many boosters; the least, where the source gives a range.'
      }),
      cards_at_most: Type.Optional(Type.Number()),
      boosters: Count,
      basis: Type.Enum(['publisher', 'press', 'community', 'counted'], {
        description: 'Who states it; `counted`: somebody opened so many boosters.'
      }),
      note: Type.Optional(Text)
    })
  ),
  sources: Type.Array(Type.Object({ name: Text, url: Text, dated: NullableText }), { minItems: 1 }),
  unsure: Type.Boolean({ description: 'Whether no page of the publisher was read that states it; `note` says why.' }),
  note: Type.Optional(Text)
})

/** An entry of the corpus `pulls`. */
export const BoosterGame = Type.Object({
  game: Text,
  rates_source: NullableText,
  counted_together: Type.Optional(Type.Array(Texts)),
  products: Type.Array(Booster, { minItems: 1 })
})
export type BoosterGame = DataOf<typeof BoosterGame>
