import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../../define.ts'
import { submitListing } from '../../../market/listing.ts'
import { Plain } from '../../../market/locks.ts'
import { actOn } from '../../../market/perform.ts'
import { ActedShown, AuctionId } from '../../../market/views.ts'

/** Submits a draft. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'submit', submitListing))
  }
})
