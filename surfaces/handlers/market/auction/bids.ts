import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { viewerOf } from '../../../market/reads.ts'
import { AuctionId, ShownBids } from '../../../market/views.ts'

/** What was bid for an auction, as far as the caller may see it. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: ShownBids,
  async handle({ params: { id }, caller }, { auctions }) {
    return reply(await auctions.bids(viewerOf(caller), id))
  }
})
