import { reply, Type, type JsonObject, type Static, type TSchema } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { acceptOffer, AcceptRequest, BidRequest, makeOffer, OfferRequest, placeBid } from '../../market/bidding.ts'
import { ApprovalRequest, cancelAuction, CancelRequest, decideListing, submitListing } from '../../market/listing.ts'
import { Plain } from '../../market/locks.ts'
import { actOn, type Doing, type MarketRequest } from '../../market/perform.ts'
import { viewerOf } from '../../market/reads.ts'
import {
  AddressRequest,
  DisputeRequest,
  giveAddress,
  markPaid,
  markReceived,
  markShipped,
  openDispute,
  ReviewRequest,
  ShippedRequest,
  writeReview
} from '../../market/trade.ts'
import { ActedShown, AuctionId, ShownAuction, ShownBids } from '../../market/views.ts'

const params = Type.Object({ id: AuctionId })

export default defineHandler({
  params,
  reply: ShownAuction,
  handle: async ({ params: { id }, caller, pathTo }, { auctions }) =>
    reply(await auctions.one(viewerOf(caller), id, pathTo))
})

/** Defines the handler of an act on an auction. The idempotency keys of each `route` are separate. */
const defineAct = <S extends TSchema>(
  route: string,
  schema: S,
  limitBytes: number,
  act: Doing<Static<S> & JsonObject>
) =>
  defineHandler({
    params,
    body: { schema, limitBytes },
    reply: ActedShown,
    handle: async (request, { market }) =>
      reply(await actOn(market, request as typeof request & MarketRequest<Static<S> & JsonObject>, route, act))
  })

export const submitPost = defineAct('submit', Plain, 512, submitListing)

export const approvePost = defineAct('approve', ApprovalRequest, 10240, decideListing)

export const cancelPost = defineAct('cancel', CancelRequest, 10240, cancelAuction)

export const bids = defineHandler({
  params,
  reply: ShownBids,
  handle: async ({ params: { id }, caller }, { auctions }) => reply(await auctions.bids(viewerOf(caller), id))
})

export const bidsPost = defineAct('bids', BidRequest, 1024, placeBid)

export const offersPost = defineAct('offers', OfferRequest, 1024, makeOffer)

export const acceptPost = defineAct('accept', AcceptRequest, 1024, acceptOffer)

export const paidPost = defineAct('paid', Plain, 512, markPaid)

export const addressPost = defineAct('address', AddressRequest, 5120, giveAddress)

export const shippedPost = defineAct('shipped', ShippedRequest, 1024, markShipped)

export const receivedPost = defineAct('received', Plain, 512, markReceived)

export const reviewPost = defineAct('review', ReviewRequest, 10240, writeReview)

export const disputePost = defineAct('dispute', DisputeRequest, 10240, openDispute)
