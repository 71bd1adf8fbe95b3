import { Type, notFound } from 'pantry/handler'
import { SetChoicesSchema, SetSchema } from '../../cards/documents/schemas.ts'
import { setChoicesDocument, setDocument } from '../../cards/documents/sets-and-games.ts'
import { GameToken } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'

/** Returns one set with its cards; 300 with the choices if several games use the code and `game` is not given. */
export default defineHandler({
  params: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 100, description: 'Set code, in any letter case.' })
  }),
  query: Type.Object({ game: Type.Optional(GameToken) }),
  entries: { in: 'cards', key: 'target_natural_token' },
  reply: Type.Union([SetSchema, SetChoicesSchema]),
  version: async ({ kept }) => await kept.version(),
  async handle({ params, query, pathTo }, { catalogue, encoding }) {
    const sets = await catalogue.setsByCode(params.code, query.game?.toLowerCase())
    const [set] = sets
    if (set === undefined) {
      throw query.game === undefined
        ? notFound('set', params.code, { field: 'code', games: pathTo('universal/games') })
        : notFound(`set of the game \`${query.game}\` with the code`, params.code, {
            field: 'code',
            game: query.game,
            games: pathTo('universal/games')
          })
    }
    if (sets.length > 1) return { status: 300, mirror: setChoicesDocument(params.code.toLowerCase(), sets, encoding) }
    return { mirror: setDocument(set, await catalogue.listingOf(set), encoding) }
  }
})
