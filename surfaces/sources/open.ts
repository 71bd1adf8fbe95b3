import type { Database } from 'pantry/database'
import { leftOut } from './left-out.ts'
import { RunStore } from './run-store.ts'

export const openSources = (database: Database) => ({
  services: {
    /** Imports in numbers. */
    runs: new RunStore(database),
    /** What the last imports left out, for an operator. */
    leftOut: async () => await leftOut(database)
  }
})
