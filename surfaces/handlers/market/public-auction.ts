import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { AuctionId, PublicAuction } from '../../market/views.ts'

/** The public projection, whoever asks. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: PublicAuction,
  async handle ({ params: { id }, pathTo }, { auctions }) {
    return reply(await auctions.published(id, pathTo))
  }
})
