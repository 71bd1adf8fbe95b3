import { Hash, notFound, reply, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { BoosterRates, compute, Computed, ComputeRequest, DrawId } from '../proofs/draw.ts'
import { Fairness } from '../proofs/fairness.ts'
import { ChainShown, Consistency, HealthShown, KeysShown, ReceiptProof, ReceiptProofs } from '../proofs/proofs.ts'

/** Returns the chain of signed heads, the oldest first. */
export const chain = defineHandler({
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

/** Returns the proof that a later head extends an earlier one without changes. */
export const consistency = defineHandler({
  query: Type.Object({
    from: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the earlier batch.' }),
    to: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the later batch.' })
  }),
  reply: Consistency,
  handle: async ({ query: { from, to } }, { proofs }) => reply(await proofs.consistency(from, to))
})

/** Returns the public keys of all signed heads, with links to the signed data. */
export const keys = defineHandler({
  reply: KeysShown,
  handle: async ({ pathTo }, { proofs }) =>
    reply({
      '@kind': 'proof-keys',
      keys: [...(await proofs.keys())],
      _links: {
        chain: pathTo('proofs/chain'),
        digests: pathTo('proofs/digests'),
        digest: pathTo.pattern('proofs/digests/digest'),
        receipt: pathTo.pattern('proofs/receipt'),
        rates: pathTo.pattern('proofs/rates'),
        consistency: pathTo('proofs/consistency'),
        fairness: pathTo('proofs/fairness'),
        health: pathTo('proofs/health')
      }
    })
})

/** Returns the table of rates that a receipt refers to by digest. */
export const rates = defineHandler({
  params: Type.Object({ digest: Hash }),
  reply: BoosterRates,
  async handle({ params: { digest } }, { draws }) {
    const rates = await draws.rates(digest)
    if (rates === undefined) throw notFound('table of rates', digest)
    return reply(rates)
  }
})

/** Returns the newest receipts, or the receipt of one draw. */
export const receipts = defineHandler({
  query: Type.Object({ id: Type.Optional(DrawId) }),
  reply: ReceiptProofs,
  handle: async ({ query: { id } }, { proofs }) =>
    reply({ '@kind': 'draw-receipts', receipts: [...(await proofs.receipts(id))] })
})

/** Returns a receipt with the proof that it is in the tree. */
export const receipt = defineHandler({
  params: Type.Object({ id: DrawId }),
  reply: ReceiptProof,
  handle: async ({ params: { id } }, { proofs }) => reply(await proofs.receipt(id))
})

/** Returns whether the results of the draws fit the rates. */
export const fairness = defineHandler({
  reply: Fairness,
  handle: async (_, { drawStudies }) => reply(await drawStudies.fairness())
})

/**
 * Returns the state of the chain: its length, the result of recomputing it, and draws whose results deviate from their
 * rates.
 */
export const health = defineHandler({
  reply: HealthShown,
  async handle(_, { proofs, drawStudies: { audit, drift } }) {
    const halted = (await proofs.chain.advance()) ?? null
    const tip = await proofs.tip()
    const [audited, alerts] = [await audit(), [...(await drift())]]
    return reply({
      '@kind': 'proof-health',
      all_well: halted === null && audited.failures.length === 0 && alerts.length === 0,
      halted,
      tip,
      counts: await proofs.counts(tip),
      self_audit: audited,
      drift_alerts: alerts
    })
  }
})

/** Recomputes a draw from the inputs in the request. */
export const computePost = defineHandler({
  body: { schema: ComputeRequest, limitBytes: 65_536 },
  reply: Computed,
  handle: ({ body }) => reply(compute(body))
})
