import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { AuctionBlocks, AuctionId } from '../../market/views.ts'

/** Returns the public projection of an auction in blocks, whoever the caller is. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionBlocks,
  async handle({ params: { id }, pathTo }, { auctions }) {
    return reply(await auctions.blocks(id, pathTo))
  }
})
