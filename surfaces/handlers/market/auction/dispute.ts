import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { actOn } from '../../../market/perform.ts'
import { decideDispute, DecisionRequest } from '../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

export const decidePost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: DecisionRequest, limitBytes: 10240 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'dispute/decide', decideDispute))
})
