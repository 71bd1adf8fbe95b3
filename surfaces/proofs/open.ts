import { counted, type Health, type ServiceLog, type ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { Source } from '../import/source.ts'
import type { BoosterGame } from '../sources/pull-rates.ts'
import { audit, type AuditReport } from './audit.ts'
import { Chain, OwnFiles } from './chain.ts'
import { boosterRates } from './draw.ts'
import { Draws } from './draws.ts'
import { driftOf, fairness } from './fairness.ts'
import { Proofs } from './proofs.ts'

/** Each study may use at most 1/20 of the time, see `throttle`. */
const rest = 20

/** `sources`: by id; some of them state pull rates. */
type ProofsOptions = Readonly<{
  games: readonly BoosterGame[]
  sources: ReadonlyMap<string, Source>
  dataDir: string
  settings: Readonly<{ drawsADay: number }>
  log: ServiceLog
}>

/** Returns the health of the chain. Also advances it, so that it grows even if nobody reads it. */
async function healthOf(proofs: Proofs, audit: () => Promise<AuditReport>): Promise<Health> {
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
    return {
      status: 'ok',
      detail: `${counted(receipts, 'receipt')} in ${counted(batches, 'signed batch', 'signed batches')}.`
    }
  } catch {
    return { status: 'down', detail: 'The chain of draws cannot be read now.' }
  }
}

export function openProofs(
  database: Database,
  { games, sources, dataDir, settings: { drawsADay }, log }: ProofsOptions
) {
  const chain = new Chain(database, new OwnFiles(dataDir), log)
  const proofs = new Proofs(database, chain)
  const audited = throttle(rest, async () => await audit(database))
  return {
    services: {
      draws: new Draws(database, boosterRates(games, sources), drawsADay, chain),
      proofs,
      drawStudies: {
        audit: audited,
        fairness: throttle(rest, async () => {
          await chain.advance()
          return await fairness(database)
        }),
        drift: throttle(rest, async () => await driftOf(database))
      }
    },
    health: { proofs: async () => await healthOf(proofs, audited) }
  } satisfies ServicesPart<unknown>
}

/**
 * Returns a function that runs `work` or returns its last result. If a run took t, the next begins no sooner than
 * `times` × t after the beginning of that run; concurrent callers share a run. Failures are not kept.
 */
function throttle<T>(times: number, work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined
  let nextAt = -Infinity
  return async () => {
    const begun = performance.now()
    if (last !== undefined && begun < nextAt) return await last
    nextAt = Infinity
    last = work()
    last.then(
      () => {
        nextAt = begun + times * (performance.now() - begun)
      },
      () => {
        last = undefined
      }
    )
    return await last
  }
}
