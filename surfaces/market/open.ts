import type { Database } from 'pantry/database'
import type { Store } from '../common/repository.ts'
import { MarketReads, offeredCards } from './reads.ts'
import { Trust } from './trust.ts'

export function openMarket(database: Database) {
  const trust = new Trust(database)
  return {
    services: {
      market: database as Store,
      auctions: new MarketReads(database, trust, offeredCards(database.reader)),
      trust
    }
  }
}
