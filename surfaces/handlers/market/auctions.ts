import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Filters, viewerOf } from '../../market/reads.ts'
import { AuctionList } from '../../market/views.ts'

/** Auctions that the caller may find. */
export default defineHandler({
  query: Filters,
  reply: AuctionList,
  async handle({ query, caller, pathTo }, { auctions }) {
    return reply(await auctions.list(viewerOf(caller), query, pathTo))
  }
})
