import type { Database } from 'pantry/database'
import { SharedReadings } from '../outside/shared-readings.ts'
import { readReferenceRates } from './central-bank.ts'
import { RateDesk, type RateCurrency } from './rate-desk.ts'

/**
 * Creates the rates service. Readings are stored in the database and shared by all processes. `failed` is called with
 * the reason when the rates could not be read.
 */
export const openRates = (
  database: Database,
  currencies: readonly RateCurrency[],
  failed: (reason: string) => void
) => ({
  services: {
    /** Exchange rates of the display currencies. */
    rates: new RateDesk({ currencies, read: () => readReferenceRates(), failed, shared: new SharedReadings(database) })
  }
})
