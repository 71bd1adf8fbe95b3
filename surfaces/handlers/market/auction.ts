import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { viewerOf } from '../../market/reads.ts'
import { AuctionId, ShownAuction } from '../../market/views.ts'

/** Returns one auction in the projection for the caller. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: ShownAuction,
  async handle({ params: { id }, caller, pathTo }, { auctions }) {
    return reply(await auctions.one(viewerOf(caller), id, pathTo))
  }
})
