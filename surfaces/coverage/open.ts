import type { Database } from 'pantry/database'
import { CoverageStore } from './coverage-store.ts'

export const openCoverage = (database: Database) => ({
  services: {
    /** What was observed, by whom and when. */
    coverage: new CoverageStore(database)
  }
})
