import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { Plain } from '../../../market/locks.ts'
import { actOn } from '../../../market/perform.ts'
import { markPaid } from '../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Records that the payment has arrived. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'paid', markPaid))
  }
})
