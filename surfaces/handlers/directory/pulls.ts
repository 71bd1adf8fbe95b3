import { defineDerived, nullable, NullableText, reply, Text, Texts, Type } from 'pantry/handler'
import { Ratio } from '../../cards/numbers.ts'
import { Booster, BoosterGame, GameName, pullsDocument, ratesOf } from '../../sources/pull-rates.ts'
import { loadSources } from '../../import/open.ts'

const Share = {
  ratio_in_pulls: nullable(Ratio),
  decimal_probability: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of a card in a booster of the set to have this rarity.' })
  )
}
const Product = Type.Object({
  ...Booster.properties,
  rates: Type.Array(Type.Object({ ...Booster.properties.rates.items.properties, ...Share }))
})
const Chances = Type.Record(Text, Type.Number({ minimum: 0, maximum: 100 }))

export default defineDerived({
  // Sources are read completely; `surfaces/checks.ts` checks their form.
  corpora: {
    pulls: BoosterGame,
    games: GameName,
    sources: Type.Object({ id: Text }),
    'source-policies': Type.Object({ id: Text })
  },
  reply: Type.Object({
    '@kind': Type.Literal('pulls_snapshot'),
    provenance_note: Text,
    staleness_note: Text,
    reading_note: Text,
    games_with_rates: Type.Integer(),
    games: Type.Array(
      Type.Object({
        slug: Text,
        display_name: Text,
        game: Text,
        products: Type.Array(Product),
        counted_together: Type.Array(Texts, { description: 'Rarities that the rates of the source count as one.' }),
        rates_source: nullable(
          Type.Object({
            id: Text,
            name: Text,
            url: NullableText,
            version: NullableText,
            license_statement: Text,
            rights: Type.Literal('NOASSERTION')
          })
        ),
        rates: nullable(
          Type.Object({
            rarities: Type.Record(Text, Text, { description: 'Names of the rarity codes.' }),
            sets: Type.Array(
              Type.Object({
                set_code: Text,
                printed_code: Text,
                packs: Type.Array(
                  Type.Object({
                    name: Text,
                    share_percent: Type.Number({
                      minimum: 0,
                      maximum: 100,
                      description: 'How often an opened pack is of this kind.'
                    }),
                    cards: Type.Integer(),
                    slots: Type.Array(Type.Object({ slot: Text, chances_percent: Chances }))
                  })
                ),
                shares: Type.Array(Type.Object({ rarity: Text, ...Share }))
              })
            )
          })
        ),
        reason: NullableText
      })
    ),
    _links: Type.Object({ canonical: Text, sources: Text, games: Text })
  }),
  derive: ({ corpora, pathTo }) =>
    reply(
      pullsDocument(
        {
          boosters: corpora.pulls.entries,
          games: new Map(corpora.games.entries.map(game => [game.token, game])),
          sources: loadSources(corpora.sources.entries, corpora['source-policies'].entries),
          ratesOf
        },
        pathTo
      )
    )
})
