import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { HealthShown } from '../../proofs/proofs.ts'

/**
 * Returns the state of the chain: its length, the result of recomputing it, and draws whose results deviate from their
 * rates.
 */
export default defineHandler({
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
