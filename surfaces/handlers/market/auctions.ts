import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Filters, viewerOf } from '../../market/reads.ts'
import { AuctionList } from '../../market/views.ts'

/** Lists the auctions that the caller may see. */
export default defineHandler({
  query: Filters,
  reply: AuctionList,
  async handle({ query, caller, pathTo }, { auctions }) {
    return reply(await auctions.list(viewerOf(caller), query, pathTo))
  }
})
