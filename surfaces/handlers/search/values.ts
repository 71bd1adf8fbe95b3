import { closed, invalid, notFound, nullable, reply, Text, Type } from 'pantry/handler'
import { Attribute } from '../../cards/attributes.ts'
import { fromSources } from '../../cards/documents/parts.ts'
import { searchQuery } from '../../cards/parameters.ts'
import { countedFields, maxValues } from '../../cards/search/count-values.ts'
import { defineHandler } from '../../define.ts'

const usual = 100

/** Lists the values of the fields of a game, each with the number of cards that have it. */
export default defineHandler({
  query: Type.Object({
    game: searchQuery.game,
    field: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: '`rarity`, or the name of an attribute as `/api/v1/search/fields` lists it.'
      })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxValues, default: usual, description: 'Values of each field at most.' })
    )
  }),
  corpora: { attributes: Attribute },
  reply: closed({
    game: Text,
    field: nullable(Text, 'The field that was asked for; null for all.'),
    fields: Type.Array(
      closed({
        name: Text,
        found: Type.Integer({ minimum: 1, description: 'Different values that cards of the game have.' }),
        more: Type.Boolean({ description: 'Whether there are values behind these.' }),
        values: Type.Array(
          closed({
            value: Type.Union([Text, Type.Integer()], { description: 'As cards have it.' }),
            printings: Type.Integer({ minimum: 1, description: 'Printings that have it.' })
          }),
          { minItems: 1, maxItems: maxValues }
        )
      }),
      { description: 'The rarity and then attributes, without those that no card of the game has.' }
    )
  }),
  version: ({ kept }) => kept.version(),
  async handle({ query, corpora }, { catalogue, countValues, games }) {
    const { field, limit = usual } = query
    const game = games.named(query.game).token
    const fields = countedFields(corpora.attributes.entries, game)
    if (field !== undefined && !fields.includes(field))
      throw invalid('field', `\`${field}\` is no field of \`${game}\` whose values are counted.`, fields)
    const [held, counted] = await Promise.all([catalogue.game(game), countValues(game, fields)])
    if (held === undefined) throw notFound('card of the game', game, { field: 'game' })
    return reply(
      {
        game,
        field: field ?? null,
        fields: (field === undefined ? fields : [field]).flatMap(name => {
          const { found = 0, values = [] } = counted.get(name) ?? {}
          return found === 0 ? [] : [{ name, found, more: found > limit, values: [...values.slice(0, limit)] }]
        })
      },
      fromSources(held.sources)
    )
  }
})
