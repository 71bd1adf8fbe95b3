import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { editListing, ListingChange } from '../market/listing.ts'
import { actOn } from '../market/perform.ts'
import { TrustShown, Username } from '../market/trust.ts'
import { AuctionDocument, auctionDocument, TrustDocument, trustDocument } from '../market/universal.ts'
import { ActedShown, AuctionBlocks, AuctionId } from '../market/views.ts'

/** Changes a draft of an auction. */
export const draft = defineHandler({
  params: Type.Object({ id: AuctionId }),
  body: { schema: ListingChange, limitBytes: 16_384 },
  reply: ActedShown,
  async handle(request, { market }) {
    return reply(await actOn(market, request, 'edit', editListing))
  }
})

/** Returns the public projection of an auction in blocks, whoever the caller is. */
export const publicAuction = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionBlocks,
  async handle({ params: { id }, pathTo }, { auctions }) {
    return reply(await auctions.blocks(id, pathTo))
  }
})

/** Returns one auction as a structural document. */
export const universalAuction = defineHandler({
  params: Type.Object({ id: AuctionId }),
  reply: AuctionDocument,
  async handle({ params: { id }, pathTo }, { auctions, encoding }) {
    return { mirror: auctionDocument(await auctions.published(id, pathTo), encoding, pathTo) }
  }
})

/** Returns the trust score of a person with a public profile. */
export const trust = defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustShown,
  async handle({ params: { username }, pathTo }, { trust }) {
    return reply(await trust.of(username, pathTo))
  }
})

/** Returns the trust score of a person with a public profile, as a structural document. */
export const universalTrust = defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustDocument,
  async handle({ params: { username }, pathTo }, { trust, encoding }) {
    return { mirror: trustDocument(await trust.of(username, pathTo), encoding, pathTo) }
  }
})
