import { randomInt } from 'node:crypto'
import { Type, notFound, reply } from 'pantry/handler'
import { cardBody, cardLinks, RandomCardSchema } from '../../cards/card-answers.ts'
import { searchQuery } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'

const fineness = 2 ** 47

/** Returns a random card. All cards are equally likely, whatever their set; draws are independent. */
export default defineHandler({
  query: Type.Object({ game: Type.Optional(searchQuery.game) }),
  reply: RandomCardSchema,
  async handle({ query, pathTo }, { catalogue, drawCard, games }) {
    const game = query.game === undefined ? undefined : games.named(query.game).token
    const drawn = await drawCard(game, randomInt(fineness) / fineness)
    const [held] = drawn === undefined ? [] : await catalogue.cardsInBrief([drawn.sku])
    if (drawn === undefined || held === undefined) throw notFound('card of the game', game ?? 'any', { field: 'game' })
    return reply({
      '@kind': 'random-card',
      game: game ?? null,
      drawn_from: drawn.drawn_from,
      card: cardBody(held),
      links: cardLinks(held.sku, pathTo)
    })
  }
})
