import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { TrustShown, Username } from '../../market/trust.ts'

/** Returns the trust score of a person with a public profile. */
export default defineHandler({
  params: Type.Object({ username: Username }),
  reply: TrustShown,
  async handle({ params: { username }, pathTo }, { trust }) {
    return reply(await trust.of(username, pathTo))
  }
})
