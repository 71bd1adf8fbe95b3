import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { actOn } from '../../../market/perform.ts'
import { giveAddress, AddressRequest } from '../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Stores the delivery address of the buyer. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: AddressRequest, limitBytes: 5120 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'address', giveAddress))
  }
})
