import { Hash, notFound, reply, Type } from 'pantry/handler'
import { fromSources } from '../cards/documents/parts.ts'
import { defineHandler } from '../define.ts'
import { BoosterRates, compute, Computed, ComputeRequest, DrawId } from '../proofs/draw.ts'
import { Fairness } from '../proofs/fairness.ts'
import { ChainShown, Consistency, HealthShown, KeysShown, ReceiptProof, ReceiptProofs } from '../proofs/proofs.ts'

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

export const consistency = defineHandler({
  query: Type.Object({
    from: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the earlier batch.' }),
    to: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the later batch.' })
  }),
  reply: Consistency,
  handle: async ({ query: { from, to } }, { proofs }) => reply(await proofs.consistency(from, to))
})

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

export const rates = defineHandler({
  params: Type.Object({ digest: Hash }),
  reply: BoosterRates,
  async handle({ params: { digest } }, { draws }) {
    const rates = await draws.rates(digest)
    if (rates === undefined) throw notFound('table of rates', digest)
    return reply(rates, fromSources([rates.source]))
  }
})

export const receipts = defineHandler({
  query: Type.Object({ id: Type.Optional(DrawId) }),
  reply: ReceiptProofs,
  handle: async ({ query: { id } }, { proofs }) =>
    reply({ '@kind': 'draw-receipts', receipts: [...(await proofs.receipts(id))] })
})

export const receipt = defineHandler({
  params: Type.Object({ id: DrawId }),
  reply: ReceiptProof,
  handle: async ({ params: { id } }, { proofs }) => reply(await proofs.receipt(id))
})

export const fairness = defineHandler({
  reply: Fairness,
  handle: async (_, { drawStudies }) => reply(await drawStudies.fairness())
})

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

export const computePost = defineHandler({
  body: { schema: ComputeRequest, limitBytes: 65_536 },
  reply: Computed,
  handle: ({ body }) => reply(compute(body))
})
