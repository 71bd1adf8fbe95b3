import { Type, nullable, reply } from 'pantry/handler'
import { Boundary } from '../../cards/card-answers.ts'
import { searchQuery } from '../../cards/parameters.ts'
import {
  findCards,
  matchBody,
  MatchSchema,
  searchBoundary,
  summarise,
  SummarySchema
} from '../../cards/search/find-cards.ts'
import { defineHandler } from '../../define.ts'

/** Finds the cards of a game by printed number or SKU. At most two round trips; an empty result is not an error. */
export default defineHandler({
  query: Type.Object({
    ...searchQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most matches to show.' }))
  }),
  entries: { in: 'matches', key: 'sku' },
  reply: Type.Object(
    {
      input: Type.Object({ game: Type.String(), q: Type.String() }, { additionalProperties: false }),
      matches: Type.Array(MatchSchema, { maxItems: 100 }),
      summary: SummarySchema,
      publication_boundary: Boundary,
      next_step: nullable(Type.String({ pattern: '^/' }), 'All that is published of the best match.')
    },
    { additionalProperties: false }
  ),
  async handle({ query: { game, q, limit = 20 }, pathTo }, { games, search }) {
    const findings = await findCards(search, games.named(game), q, limit)
    const [best] = findings.matches
    return reply({
      input: { game, q },
      matches: findings.matches.slice(0, limit).map(matchBody),
      summary: summarise(findings, limit).body,
      publication_boundary: searchBoundary,
      next_step: best === undefined ? null : pathTo('cards/everything', { sku: best.card.sku })
    })
  }
})
