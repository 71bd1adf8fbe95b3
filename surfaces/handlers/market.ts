import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { draft as draftListing, editListing, ListingChange, ListingRequest } from '../market/listing.ts'
import { actOn } from '../market/perform.ts'
import { Filters, viewerOf } from '../market/reads.ts'
import { TrustShown, Username } from '../market/trust.ts'
import { AuctionDocument, auctionDocument, TrustDocument, trustDocument } from '../market/universal.ts'
import { ActedShown, AuctionBlocks, AuctionId, AuctionList } from '../market/views.ts'

/** Lists the auctions that the caller may see. */
export const auctions = defineHandler({
  query: Filters,
  reply: AuctionList,
  handle: async ({ query, caller, pathTo }, { auctions }) => reply(await auctions.list(viewerOf(caller), query, pathTo))
})

/** Creates a draft of an auction. */
export const auctionsPost = defineHandler({
  body: { schema: ListingRequest, limitBytes: 16_384 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await draftListing(market, request))
})

/** Changes a draft of an auction. */
export const draft = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ListingChange, limitBytes: 16_384 },
  reply: ActedShown,
  handle: async (request, { market }) => reply(await actOn(market, request, 'edit', editListing))
})

/** Returns the public projection of an auction in blocks, whoever the caller is. */
export const publicAuction = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionBlocks,
  handle: async ({ params: { id }, pathTo }, { auctions }) => reply(await auctions.blocks(id, pathTo))
})

/** Returns one auction as a structural document. */
export const universalAuction = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionDocument,
  handle: async ({ params: { id }, pathTo }, { auctions, encoding }) => ({
    mirror: auctionDocument(await auctions.published(id, pathTo), encoding, pathTo)
  })
})

/** Returns the trust score of a person with a public profile. */
export const trust = defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustShown,
  handle: async ({ params: { username }, pathTo }, { trust }) => reply(await trust.of(username, pathTo))
})

/** Returns the trust score of a person with a public profile, as a structural document. */
export const universalTrust = defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustDocument,
  handle: async ({ params: { username }, pathTo }, { trust, encoding }) => ({
    mirror: trustDocument(await trust.of(username, pathTo), encoding, pathTo)
  })
})
