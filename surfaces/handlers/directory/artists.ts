import { NullableText, reply, Text, Texts, Type } from 'pantry/handler'
import { paths } from '../../cards/documents/parts.ts'
import { GameToken } from '../../cards/parameters.ts'
import { canonicalCode } from '../../cards/sku.ts'
import { defineHandler } from '../../define.ts'
import { mostArtists, worksShown } from '../../sources/artists.ts'

export default defineHandler({
  query: Type.Object({
    game: Type.Optional(GameToken),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: 'Name of the artist as a source writes it, in any letter case.'
      })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostArtists, default: 24, description: 'At most this many artists.' })
    )
  }),
  entries: { in: 'hands', key: 'name' },
  reply: Type.Object({
    '@kind': Type.Literal('illustrator_credits'),
    provenance_note: Text,
    filters_applied: Type.Object({ game: NullableText, name: NullableText, limit: Type.Integer() }),
    totals: Type.Object({ hands: Type.Integer(), credited_works: Type.Integer() }),
    returned: Type.Integer(),
    hands: Type.Array(
      Type.Object({
        name: Text,
        games: Texts,
        credited_works: Type.Integer(),
        works_shown: Type.Integer(),
        works: Type.Array(
          Type.Object({
            sku: Text,
            name: NullableText,
            game: Text,
            set_code: Text,
            printed_code: Text,
            card_number: Text,
            lang: Text,
            universal: Text
          })
        )
      })
    ),
    image_policy: Text
  }),
  version: ({ kept }) => kept.version(),
  async handle({ query }, { credits }) {
    const { game = null, name = null, limit = 24 } = query
    const { artists, totals } = await credits.find({ game: game?.toLowerCase(), name: name?.toLowerCase(), limit })
    return reply({
      '@kind': 'illustrator_credits',
      provenance_note:
        'Names are written as in the sources. One hand may appear under two spellings; nobody has been merged by guesswork. Most credited first.',
      filters_applied: { game, name, limit },
      totals: { hands: totals.artists, credited_works: totals.credits },
      returned: artists.length,
      hands: artists.map(({ name, games, works, shown }) => ({
        name,
        games,
        credited_works: works,
        works_shown: shown.length,
        works: shown.map(({ set_code: code, ...work }) => ({
          ...work,
          set_code: canonicalCode(code),
          printed_code: code,
          universal: paths.card(work.sku)
        }))
      })),
      image_policy: `No picture is shown or kept. Up to ${worksShown} works are listed beside each name; a credited work is one card, so each printing counts.`
    })
  }
})
