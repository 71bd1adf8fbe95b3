import { closed, nullable, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { Audited } from '../../proofs/audit.ts'
import { Drift } from '../../proofs/fairness.ts'
import { Batch } from '../../proofs/head.ts'
import { ChainCounts } from '../../proofs/proofs.ts'

/** How the chain is: its length, what computing it again found, and draws that fit their rates badly. */
export default defineHandler({
  reply: closed({
    '@kind': Type.Literal('proof-health'), all_well: Type.Boolean(), halted: nullable(Text), tip: nullable(Batch), counts: ChainCounts, self_audit: Audited, drift_alerts: Type.Array(Drift)
  }),
  async handle (_, { proofs, drawStudies: { audit, drift } }) {
    const halted = await proofs.chain.advance() ?? null
    const [tip = null] = await proofs.batches({ limit: 1 })
    const [audited, alerts] = [await audit(), [...await drift()]]
    return reply({
      '@kind': 'proof-health', all_well: halted === null && audited.failures.length === 0 && alerts.length === 0, halted, tip, counts: await proofs.counts(), self_audit: audited, drift_alerts: alerts
    })
  }
})
