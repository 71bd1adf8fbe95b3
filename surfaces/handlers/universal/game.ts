import { Type, notFound } from 'pantry/handler'
import { gameDocument } from '../../cards/documents/sets-and-games.ts'
import { GameSchema } from '../../cards/documents/schemas.ts'
import { GameToken } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'

const recentSets = 5

/** Returns one game with its most recent sets. */
export default defineHandler({
  params: Type.Object({ token: GameToken }),
  entries: { key: 'game' },
  reply: GameSchema,
  version: async ({ kept }) => await kept.version(),
  async handle({ params, pathTo }, { catalogue, encoding }) {
    const token = params.token.toLowerCase()
    const [game, recent] = await Promise.all([catalogue.game(token), catalogue.recentSets(token, recentSets)])
    if (game === undefined) throw notFound('game', params.token, { field: 'token', games: pathTo('universal/games') })
    return { mirror: gameDocument(game, recent, encoding) }
  }
})
