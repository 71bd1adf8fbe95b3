import { defineJobFor } from 'pantry/data'
import type { Services } from '../services.ts'

/** Deletes personal data whose retention has ended, also where nobody signs in. */
export default defineJobFor<Services>()({
  every: '10 minutes',
  deadline: 120,
  run: async ({ deleteExpired }, { signal }) => {
    await deleteExpired(signal)
  }
})
