import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { actOn } from '../../../market/perform.ts'
import { markShipped, ShippedRequest } from '../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Records that the purchase was shipped. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ShippedRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'shipped', markShipped))
  }
})
