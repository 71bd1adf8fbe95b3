import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { acceptOffer, AcceptRequest } from '../../../market/bidding.ts'
import { actOn } from '../../../market/perform.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Accepts an offer, which ends the auction. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: AcceptRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'accept', acceptOffer))
  }
})
