import { GamesSchema } from '../../cards/documents/schemas.ts'
import { gamesDocument } from '../../cards/documents/sets-and-games.ts'
import { defineHandler } from '../../define.ts'

/** Returns all games in the catalogue. */
export default defineHandler({
  entries: { in: 'games', key: 'target_natural_token' },
  reply: GamesSchema,
  version: async ({ kept }) => await kept.version(),
  async handle(_request, { catalogue, encoding }) {
    return { mirror: gamesDocument(await catalogue.games(), encoding) }
  }
})
