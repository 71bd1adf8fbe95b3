import { closed, nullable, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Batch, Epoch } from '../../proofs/head.ts'
import { ChainCounts } from '../../proofs/proofs.ts'

/** The chain of signed heads, the first one first. */
export default defineHandler({
  query: Type.Object({
    from_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, default: 1, description: 'Number of the first batch.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'How many batches at most.' }))
  }),
  reply: closed({
    '@kind': Type.Literal('proof-chain'), batches: Type.Array(Batch), tip: nullable(Batch), counts: ChainCounts, epochs: Type.Array(Epoch), halted: nullable(Text, 'Why the chain does not go on, where it does not.')
  }),
  async handle ({ query: { from_id: from = 1, limit = 100 } }, { proofs }) {
    const halted = await proofs.chain.advance() ?? null
    const [tip = null] = await proofs.batches({ limit: 1 })
    return reply({ '@kind': 'proof-chain', batches: [...await proofs.batches({ from, limit })], tip, counts: await proofs.counts(), epochs: [...await proofs.epochs()], halted })
  }
})
