import { closed, defineDerived, nullable, NullableText, reply, Text, Texts, Type } from 'pantry/handler'
import { Attribute } from '../../cards/attributes.ts'
import { Game, GameDirectory } from '../../cards/games.ts'
import { fieldKinds, operatorsOf, properties, QueryFields } from '../../cards/search/query-fields.ts'

/** Lists the fields of the query language, from the table by which queries are read. */
export default defineDerived({
  corpora: { attributes: Attribute, games: Game },
  reply: closed({
    fields: Type.Array(
      closed({
        name: Text,
        short: Type.Array(Text, { description: 'Other names. One that several fields have means any of them.' }),
        kind: Type.Enum([...fieldKinds], {
          description:
            'How values are compared: `words` by whole words, `value` as a whole, `integer` and `date` also by order; `name`, `set` and `number` as their meaning says.'
        }),
        operators: Texts,
        selects: Type.Boolean({
          description: 'Whether it can select cards. A query needs one field that does, or a word of a name.'
        }),
        games: nullable(Texts, 'The games whose cards may have it; null for all.'),
        unit: NullableText,
        values: nullable(Type.Array(Type.Union([Text, Type.Integer()])), 'All values that there are; null for any.'),
        meaning: Text,
        example: Text
      })
    ),
    properties: Type.Array(closed({ name: Text, meaning: Text }), { description: 'What `is:` asks for.' })
  }),
  derive({ corpora: { attributes, games } }) {
    const { all } = new QueryFields(attributes.entries, new GameDirectory(games.entries))
    return reply({
      fields: all.map(field => ({
        name: field.name,
        short: [...field.short],
        kind: field.kind,
        operators: [...operatorsOf(field)],
        selects: field.selects,
        games: field.games === undefined ? null : [...field.games],
        unit: field.unit ?? null,
        values: field.values === undefined ? null : [...field.values],
        meaning: field.meaning,
        example: field.example
      })),
      properties: Object.entries(properties).map(([name, { meaning }]) => ({ name, meaning }))
    })
  }
})
