import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { placeBid, BidRequest } from '../../../market/bidding.ts'
import { actOn } from '../../../market/perform.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Bids for an auction, or buys at once. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: BidRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'bids', placeBid))
  }
})
