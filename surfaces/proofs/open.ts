import type { Health, ServiceLog, ServicesPart, ServiceSettings } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { BoosterGame } from '../directory/boosters.ts'
import type { Source } from '../import/source.ts'
import { audit, type Audited } from './audit.ts'
import { boosterRates } from './booster-rates.ts'
import { Chain } from './chain.ts'
import { Draws } from './draws.ts'
import { driftOf, fairness } from './fairness.ts'
import { OwnFiles } from './own-files.ts'
import { Proofs } from './proofs.ts'
import { rested } from './rested.ts'

/** Looking at many draws takes at most a twentieth of the time. */
const rest = 20

/** What the chain is made with. `sources`: registered ones by id, some of which state pull rates. */
type ProofsGiven = Readonly<{
  games: readonly BoosterGame[]
  sources: ReadonlyMap<string, Source>
  dataDir: string
  settings: ServiceSettings
  log: ServiceLog
}>

/** Looking after the chain is also what continues it, where nobody reads it. */
async function healthOf(proofs: Proofs, audit: () => Promise<Audited>): Promise<Health> {
  try {
    const halted = await proofs.chain.advance()
    if (halted !== undefined) return { status: 'degraded', detail: halted }
    const {
      failures: [failure],
      failed,
      total
    } = await audit()
    if (failure !== undefined)
      return {
        status: 'degraded',
        detail: `${failed} of ${total} receipts of the last days are not what was signed. At batch ${failure.batch}: ${failure.what}`
      }
    const { receipts, batches } = await proofs.counts(await proofs.tip())
    return { status: 'ok', detail: `${receipts} receipts in ${batches} signed batches.` }
  } catch {
    return { status: 'down', detail: 'The chain of draws cannot be read now.' }
  }
}

/** Practice boosters, and what proves them. */
export function openProofs(
  database: Database,
  { games, sources, dataDir, settings: { drawsADay = 10_000 }, log }: ProofsGiven
) {
  const chain = new Chain(database, new OwnFiles(dataDir), log)
  const proofs = new Proofs(database, chain)
  const audited = rested(rest, async () => await audit(database))
  return {
    services: {
      /** Practice boosters. */
      draws: new Draws(database, boosterRates(games, sources), drawsADay, chain),
      /** The signed chain of opened draws. */
      proofs,
      /** What looking at many draws finds. */
      drawStudies: {
        audit: audited,
        fairness: rested(rest, async () => {
          await chain.advance()
          return await fairness(database)
        }),
        drift: rested(rest, async () => await driftOf(database))
      }
    },
    health: { proofs: async () => await healthOf(proofs, audited) }
  } satisfies ServicesPart<unknown>
}
