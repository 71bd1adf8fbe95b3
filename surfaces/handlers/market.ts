import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { draft as draftListing, editListing, ListingChange, ListingRequest } from '../market/listing.ts'
import { actOn } from '../market/perform.ts'
import { Filters, maxOffset, viewerOf } from '../market/reads.ts'
import { TrustShown, Username } from '../market/trust.ts'
import { AuctionDocument, auctionDocument, TrustDocument, trustDocument } from '../market/universal.ts'
import { ActedShown, AuctionBlocks, AuctionId, AuctionList } from '../market/views.ts'

export const auctions = defineHandler({
  query: Filters,
  reply: AuctionList,
  handle: async ({ query, caller, pathTo }, { auctions }) => {
    const shown = await auctions.list(viewerOf(caller), query, pathTo)
    const behind = shown.offset + shown.limit
    return reply(shown, behind < shown.total && behind <= maxOffset ? { next: { offset: behind } } : {})
  }
})

export const auctionsPost = defineHandler({
  body: { schema: ListingRequest, limitBytes: 16_384 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await draftListing(market, request))
})

export const draft = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ListingChange, limitBytes: 16_384 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'edit', editListing))
})

/** Returns what is public of an auction, in blocks; it is the same for every caller. */
export const publicAuction = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionBlocks,
  handle: async ({ params: { id }, pathTo }, { auctions }) => reply(await auctions.blocks(id, pathTo))
})

export const universalAuction = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionDocument,
  handle: async ({ params: { id }, pathTo }, { auctions, encoding }) => ({
    mirror: auctionDocument(await auctions.published(id, pathTo), encoding, pathTo)
  })
})

export const trust = defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustShown,
  handle: async ({ params: { username }, pathTo }, { trust }) => reply(await trust.of(username, pathTo))
})

export const universalTrust = defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustDocument,
  handle: async ({ params: { username }, pathTo }, { trust, encoding }) => ({
    mirror: trustDocument(await trust.of(username, pathTo), encoding, pathTo)
  })
})
