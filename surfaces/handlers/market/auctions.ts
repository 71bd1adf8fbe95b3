import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { draft, ListingRequest } from '../../market/listing.ts'
import { Filters, viewerOf } from '../../market/reads.ts'
import { ActedShown, AuctionList } from '../../market/views.ts'

/** Lists the auctions that the caller may see. */
export default defineHandler({
  query: Filters,
  reply: AuctionList,
  async handle({ query, caller, pathTo }, { auctions }) {
    return reply(await auctions.list(viewerOf(caller), query, pathTo))
  }
})

/** Creates a draft of an auction. */
export const post = defineHandler({
  body: { schema: ListingRequest, limitBytes: 16_384 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await draft(market, request))
  }
})
