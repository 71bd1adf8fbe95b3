import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { actOn } from '../../../market/perform.ts'
import { writeReview, ReviewRequest } from '../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Reviews the other party of a completed trade. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ReviewRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'review', writeReview))
  }
})
