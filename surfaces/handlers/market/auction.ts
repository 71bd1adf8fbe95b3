import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { acceptOffer, AcceptRequest, BidRequest, makeOffer, OfferRequest, placeBid } from '../../market/bidding.ts'
import { ApprovalRequest, cancelAuction, CancelRequest, decideListing, submitListing } from '../../market/listing.ts'
import { Plain } from '../../market/locks.ts'
import { actOn } from '../../market/perform.ts'
import { viewerOf } from '../../market/reads.ts'
import {
  AddressRequest,
  giveAddress,
  markPaid,
  markReceived,
  markShipped,
  ReviewRequest,
  ShippedRequest,
  writeReview
} from '../../market/trade.ts'
import { ActedShown, AuctionId, ShownAuction, ShownBids } from '../../market/views.ts'

/** Returns one auction in the projection for the caller. */
export default defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: ShownAuction,
  async handle({ params: { id }, caller, pathTo }, { auctions }) {
    return reply(await auctions.one(viewerOf(caller), id, pathTo))
  }
})

/** Submits a draft. */
export const submitPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'submit', submitListing))
  }
})

/** Approves or refuses a consignment. */
export const approvePost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ApprovalRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'approve', decideListing))
  }
})

/** Cancels an auction and records the reason. */
export const cancelPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: CancelRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'cancel', cancelAuction))
  }
})

/** Returns the bids for an auction, with the details that the caller may see. */
export const bids = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: ShownBids,
  async handle({ params: { id }, caller }, { auctions }) {
    return reply(await auctions.bids(viewerOf(caller), id))
  }
})

/** Bids for an auction, or buys at once. */
export const bidsPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: BidRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'bids', placeBid))
  }
})

/** Makes an offer, which only the seller and admins see. */
export const offersPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: OfferRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'offers', makeOffer))
  }
})

/** Accepts an offer, which ends the auction. */
export const acceptPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: AcceptRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'accept', acceptOffer))
  }
})

/** Records that the payment has arrived. */
export const paidPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'paid', markPaid))
  }
})

/** Stores the delivery address of the buyer. */
export const addressPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: AddressRequest, limitBytes: 5120 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'address', giveAddress))
  }
})

/** Records that the purchase was shipped. */
export const shippedPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ShippedRequest, limitBytes: 1024 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'shipped', markShipped))
  }
})

/** Records that the purchase has arrived. */
export const receivedPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'received', markReceived))
  }
})

/** Reviews the other party of a completed trade. */
export const reviewPost = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ReviewRequest, limitBytes: 10240 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'review', writeReview))
  }
})
