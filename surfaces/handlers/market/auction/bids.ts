import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { viewerOf } from '../../../market/reads.ts'
import { AuctionId, ShownBids } from '../../../market/views.ts'

/** Returns the bids for an auction, with the details that the caller may see. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: ShownBids,
  async handle({ params: { id }, caller }, { auctions }) {
    return reply(await auctions.bids(viewerOf(caller), id))
  }
})
