import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { makeOffer, OfferRequest } from '../../../market/bidding.ts'
import { actOn } from '../../../market/perform.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Makes an offer, which only the seller and admins see. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: OfferRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'offers', makeOffer))
  }
})
