import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { decideListing, ApprovalRequest } from '../../../market/listing.ts'
import { actOn } from '../../../market/perform.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Approves or refuses a consignment. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ApprovalRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'approve', decideListing))
  }
})
