import { reply, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { ChainShown } from '../../proofs/proofs.ts'

/** Returns the chain of signed heads, the oldest first. */
export default defineHandler({
  query: Type.Object({
    from_id: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, default: 1, description: 'Number of the first batch.' })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'How many batches at most.' })
    )
  }),
  reply: ChainShown,
  async handle({ query: { from_id: from = 1, limit = 100 } }, { proofs }) {
    const halted = (await proofs.chain.advance()) ?? null
    const tip = await proofs.tip()
    return reply({
      '@kind': 'proof-chain',
      batches: [...(await proofs.batches({ from, limit }))],
      tip,
      counts: await proofs.counts(tip),
      epochs: [...(await proofs.epochs())],
      halted
    })
  }
})
