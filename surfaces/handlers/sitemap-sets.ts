import { Type, Path, reply } from 'pantry/handler'
import { canonicalCode } from '../cards/sku.ts'
import { defineHandler } from '../define.ts'

/**
 * Lists the pages of curated games and their sets. Cards are not listed, because the list would be a copy of the
 * catalogue.
 */
export default defineHandler({
  reply: Type.Object({ '@kind': Type.Literal('sitemap'), urls: Type.Array(Path, { maxItems: 50_000 }) }),
  version: ({ kept }) => kept.version(),
  async handle({ pathTo }, { catalogue, games }) {
    const held = await catalogue.games()
    const guided = games.all.filter(({ curated, token }) => curated && held.some(({ game }) => game === token))
    const sets = await Promise.all(
      guided.map(async ({ slug, token }) => [
        pathTo('pages/prices/game', { game: slug }),
        ...(await catalogue.sets(token)).map(({ set_code: code }) =>
          pathTo('pages/prices/set', { game: slug, set: canonicalCode(code) })
        )
      ])
    )
    return reply({ '@kind': 'sitemap', urls: sets.flat().slice(0, 50_000) })
  }
})
