import type { Database } from 'pantry/database'
import { RunStore } from './run-store.ts'

export const openSources = (database: Database) => ({
  services: {
    /** Imports in numbers. */
    runs: new RunStore(database)
  }
})
