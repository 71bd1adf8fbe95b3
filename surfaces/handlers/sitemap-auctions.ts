import { Type, Path, reply } from 'pantry/handler'
import { defineHandler } from '../define.ts'

/** As many as one sitemap may have (sitemaps.org). */
const most = 50_000

/** Lists the pages of live auctions, those that end first before others. */
export default defineHandler({
  reply: Type.Object({ '@kind': Type.Literal('sitemap'), urls: Type.Array(Path, { maxItems: most }) }),
  async handle({ pathTo }, { auctions }) {
    const live = await auctions.liveIds(most)
    return reply({ '@kind': 'sitemap', urls: live.map(id => pathTo('pages/auctions/auction', { id })) })
  }
})
