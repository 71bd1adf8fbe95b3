import { Hash, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { BoosterRates } from '../../proofs/draw.ts'

/** Returns the table of rates that a receipt refers to by digest. */
export default defineHandler({
  params: Type.Object({ digest: Hash }),
  reply: BoosterRates,
  async handle({ params: { digest } }, { draws }) {
    const rates = await draws.rates(digest)
    if (rates === undefined) throw notFound('table of rates', digest)
    return reply(rates)
  }
})
