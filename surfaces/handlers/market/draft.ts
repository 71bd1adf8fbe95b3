import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { editListing, ListingChange } from '../../market/listing.ts'
import { actOn } from '../../market/perform.ts'
import { ActedShown, AuctionId } from '../../market/views.ts'

/** Changes a draft of an auction. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ListingChange, limitBytes: 16_384 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'edit', editListing))
  }
})
