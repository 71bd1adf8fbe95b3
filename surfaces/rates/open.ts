import type { Database } from 'pantry/database'
import { SharedReadings } from '../outside/shared-readings.ts'
import { readReferenceRates } from './central-bank.ts'
import { RateDesk, type Currency } from './rate-desk.ts'

/**
 * Whoever reads the rates keeps them in the database, for all processes over it. `failed` is told why the rates could
 * not be read.
 */
export const openRates = (database: Database, currencies: readonly Currency[], failed: (reason: string) => void) => ({
  services: {
    /** Exchange rates of the display currencies. */
    rates: new RateDesk({ currencies, read: () => readReferenceRates(), failed, shared: new SharedReadings(database) })
  }
})
