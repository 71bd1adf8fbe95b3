import { Type, notFound } from 'pantry/handler'
import { SetsSchema } from '../../cards/documents/schemas.ts'
import { setsDocument } from '../../cards/documents/sets-and-games.ts'
import { GameToken } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'

/** Returns the sets of one game, in order of release. */
export default defineHandler({
  params: Type.Object({ game: GameToken }),
  entries: { in: 'sets', key: 'target_natural_token' },
  reply: SetsSchema,
  version: async ({ kept }) => await kept.version(),
  async handle({ params, pathTo }, { catalogue, encoding }) {
    const game = params.game.toLowerCase()
    const sets = await catalogue.sets(game)
    const [first] = sets
    if (first === undefined)
      throw notFound('game with imported sets', params.game, { field: 'game', games: pathTo('universal/games') })
    return { mirror: setsDocument(game, first.game_hash, sets, encoding) }
  }
})
