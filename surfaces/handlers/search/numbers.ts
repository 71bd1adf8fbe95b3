import { Type, nullable, reply } from 'pantry/handler'
import { Boundary } from '../../cards/card-answers.ts'
import { searchQuery } from '../../cards/parameters.ts'
import {
  findInGames,
  matchBody,
  MatchSchema,
  searchBoundary,
  summarise,
  SummarySchema
} from '../../cards/search/find-cards.ts'
import { defineHandler } from '../../define.ts'

const mostMatches = 40

/**
 * Finds the cards of any game by SKU, or by a printed number that contains its set. One round trip; an empty result is
 * not an error.
 */
export default defineHandler({
  query: Type.Object({ q: searchQuery.q }),
  entries: { in: 'matches', key: 'sku' },
  reply: Type.Object(
    {
      input: Type.Object({ q: Type.String() }, { additionalProperties: false }),
      matches: Type.Array(MatchSchema, { maxItems: mostMatches }),
      summary: SummarySchema,
      publication_boundary: Boundary,
      next_step: nullable(Type.String({ pattern: '^/' }), 'All that is published of the best match.')
    },
    { additionalProperties: false }
  ),
  async handle({ query: { q }, pathTo }, { games, search }) {
    const findings = await findInGames(search, games.all, q)
    const [best] = findings.matches
    return reply({
      input: { q },
      matches: findings.matches.slice(0, mostMatches).map(matchBody),
      summary: summarise(findings, mostMatches).body,
      publication_boundary: searchBoundary,
      next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.card.sku })
    })
  }
})
