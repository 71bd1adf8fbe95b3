import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { actOn } from '../../../market/perform.ts'
import { decideDispute, DecisionRequest, DisputeRequest, openDispute } from '../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Opens a dispute about a trade. */
export const post = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: DisputeRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'dispute', openDispute))
  }
})

/** Takes a dispute up, or decides it. */
export const decidePost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: DecisionRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'dispute/decide', decideDispute))
  }
})
