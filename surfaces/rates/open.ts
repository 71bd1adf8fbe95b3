import { readReferenceRates } from './central-bank.ts'
import { RateDesk, type Currency } from './rate-desk.ts'

/** `failed` is told why the rates could not be read. */
export const openRates = (currencies: readonly Currency[], failed: (reason: string) => void) => ({
  services: {
    /** Exchange rates of the display currencies. */
    rates: new RateDesk({ currencies, read: () => readReferenceRates(), failed })
  }
})
