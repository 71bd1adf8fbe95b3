import type { ServiceLog, ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { Store } from '../common/repository.ts'
import { startTicker } from './due.ts'
import { MarketReads } from './reads.ts'
import { Trust } from './trust.ts'

const everyMs = 1000

export function openMarket(database: Database, log: ServiceLog) {
  let stop: (() => Promise<void>) | undefined
  const trust = new Trust(database)
  return {
    services: { market: database as Store, auctions: new MarketReads(database, trust), trust },
    prepare: async () => {
      stop ??= startTicker(database, everyMs, error => {
        log.warn(
          { reason: error instanceof Error ? error.message : 'unknown' },
          'What is due in the market could not be applied.'
        )
      })
      await Promise.resolve()
    },
    close: async () => {
      await stop?.()
    }
  } satisfies ServicesPart<unknown>
}
