import type { Database } from 'pantry/database'
import { leftOut } from './left-out.ts'
import { RunStore } from './run-store.ts'

export const openSources = (database: Database) => ({
  services: {
    /** The numbers of imports. */
    runs: new RunStore(database),
    /** The rows that the last imports left out, for operators. */
    leftOut: async () => await leftOut(database)
  }
})
