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

/** Returns one auction in the projection for the caller. */
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

/** Submits a draft. */
export const submitPost = defineAct('submit', Plain, 512, submitListing)

/** Approves or refuses a consignment. */
export const approvePost = defineAct('approve', ApprovalRequest, 10240, decideListing)

/** Cancels an auction and records the reason. */
export const cancelPost = defineAct('cancel', CancelRequest, 10240, cancelAuction)

/** Returns the bids for an auction, with the details that the caller may see. */
export const bids = defineHandler({
  params,
  reply: ShownBids,
  handle: async ({ params: { id }, caller }, { auctions }) => reply(await auctions.bids(viewerOf(caller), id))
})

/** Bids for an auction, or buys at once. */
export const bidsPost = defineAct('bids', BidRequest, 1024, placeBid)

/** Makes an offer, which only the seller and admins see. */
export const offersPost = defineAct('offers', OfferRequest, 1024, makeOffer)

/** Accepts an offer, which ends the auction. */
export const acceptPost = defineAct('accept', AcceptRequest, 1024, acceptOffer)

/** Records that the payment has arrived. */
export const paidPost = defineAct('paid', Plain, 512, markPaid)

/** Stores the delivery address of the buyer. */
export const addressPost = defineAct('address', AddressRequest, 5120, giveAddress)

/** Records that the purchase was shipped. */
export const shippedPost = defineAct('shipped', ShippedRequest, 1024, markShipped)

/** Records that the purchase has arrived. */
export const receivedPost = defineAct('received', Plain, 512, markReceived)

/** Reviews the other party of a completed trade. */
export const reviewPost = defineAct('review', ReviewRequest, 10240, writeReview)

/** Opens a dispute about a trade. */
export const disputePost = defineAct('dispute', DisputeRequest, 10240, openDispute)
