import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { HealthShown } from '../../proofs/proofs.ts'

/** How the chain is: its length, what computing it again found, and draws that fit their rates badly. */
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
