import { Type, closed, nullable, reply, Text } from 'pantry/handler'
import { checkSigns, nameQuery, readName } from '../../cards/parameters.ts'
import { completeName } from '../../cards/search/find-names.ts'
import { defineHandler } from '../../define.ts'

const mostSuggestions = 10

/** Suggests card names that complete the typed text. One lookup in bounded index ranges. */
export default defineHandler({
  query: Type.Object(nameQuery),
  reply: closed({
    input: closed({ game: nullable(Text), q: Text }),
    suggestions: Type.Array(
      closed({
        name: Text,
        game: Text,
        printings: Type.Integer({ minimum: 1, description: 'Printings with this name.' }),
        sku: Type.String({ description: 'The first of them.' }),
        confidence: Type.Enum(['exact', 'fuzzy'])
      }),
      { maxItems: mostSuggestions }
    )
  }),
  async handle({ query: { game: named, q } }, { games, names }) {
    const text = readName(q)
    const found = await completeName(names, text, named === undefined ? undefined : games.named(named).token)
    checkSigns(text, found.length > 0)
    return reply({
      input: { game: named ?? null, q },
      suggestions: found
        .slice(0, mostSuggestions)
        .map(({ found: { name, game, printings, sku }, confidence }) => ({ name, game, printings, sku, confidence }))
    })
  }
})
