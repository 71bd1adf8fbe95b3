import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { cancelAuction, CancelRequest } from '../../../market/listing.ts'
import { actOn } from '../../../market/perform.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Cancels an auction and records the reason. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: CancelRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'cancel', cancelAuction))
  }
})
