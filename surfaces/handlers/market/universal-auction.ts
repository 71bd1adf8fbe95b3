import { Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { AuctionDocument, auctionDocument } from '../../market/universal.ts'
import { AuctionId } from '../../market/views.ts'

/** Returns one auction as a structural document. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionDocument,
  async handle({ params: { id }, pathTo }, { auctions, encoding }) {
    return { mirror: auctionDocument(await auctions.published(id, pathTo), encoding, pathTo) }
  }
})
