import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { draft } from '../../market/listing.ts'
import { ListingRequest } from '../../market/listing.ts'
import { ActedShown } from '../../market/views.ts'

/** Creates a draft of an auction. */
export default defineHandler({
  body: { schema: ListingRequest, limitBytes: 16_384 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await draft(market, request))
  }
})
