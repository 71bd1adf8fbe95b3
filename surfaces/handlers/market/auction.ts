import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { acceptOffer, AcceptRequest, BidRequest, makeOffer, OfferRequest, placeBid } from '../../market/bidding.ts'
import { ApprovalRequest, cancelAuction, CancelRequest, decideListing, submitListing } from '../../market/listing.ts'
import { Plain } from '../../market/locks.ts'
import { actOn } from '../../market/perform.ts'
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

export const submitPost = defineHandler({
  params,
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'submit', submitListing))
})

export const approvePost = defineHandler({
  params,
  body: { schema: ApprovalRequest, limitBytes: 10240 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'approve', decideListing))
})

export const cancelPost = defineHandler({
  params,
  body: { schema: CancelRequest, limitBytes: 10240 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'cancel', cancelAuction))
})

export const bids = defineHandler({
  params,
  reply: ShownBids,
  handle: async ({ params: { id }, caller }, { auctions }) => reply(await auctions.bids(viewerOf(caller), id))
})

export const bidsPost = defineHandler({
  params,
  body: { schema: BidRequest, limitBytes: 1024 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'bids', placeBid))
})

export const offersPost = defineHandler({
  params,
  body: { schema: OfferRequest, limitBytes: 1024 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'offers', makeOffer))
})

export const acceptPost = defineHandler({
  params,
  body: { schema: AcceptRequest, limitBytes: 1024 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'accept', acceptOffer))
})

export const paidPost = defineHandler({
  params,
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'paid', markPaid))
})

export const addressPost = defineHandler({
  params,
  body: { schema: AddressRequest, limitBytes: 5120 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'address', giveAddress))
})

export const shippedPost = defineHandler({
  params,
  body: { schema: ShippedRequest, limitBytes: 1024 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'shipped', markShipped))
})

export const receivedPost = defineHandler({
  params,
  body: { schema: Plain, limitBytes: 512 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'received', markReceived))
})

export const reviewPost = defineHandler({
  params,
  body: { schema: ReviewRequest, limitBytes: 10240 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'review', writeReview))
})

export const disputePost = defineHandler({
  params,
  body: { schema: DisputeRequest, limitBytes: 10240 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'dispute', openDispute))
})
