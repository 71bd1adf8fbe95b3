import { defineJobFor } from 'pantry/data'
import { applyAllDue } from '../market/due.ts'
import type { Services } from '../services.ts'

/** Begins, lapses and ends auctions that nobody reads: whoever reads or bids applies what is due at once. */
export default defineJobFor<Services>()({
  every: '5 seconds',
  deadline: 60,
  run: async ({ market }, { signal }) => {
    await applyAllDue(market, signal)
  }
})
