import { Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Username } from '../../market/trust.ts'
import { TrustDocument, trustDocument } from '../../market/universal.ts'

/** Returns the trust score of a person with a public profile, as a structural document. */
export default defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustDocument,
  async handle({ params: { username }, pathTo }, { trust, encoding }) {
    return { mirror: trustDocument(await trust.of(username, pathTo), encoding, pathTo) }
  }
})
