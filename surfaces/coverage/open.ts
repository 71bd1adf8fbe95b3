import type { Database } from 'pantry/database'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import { CoverageStore } from './coverage-store.ts'

export const openCoverage = (database: Database, kept: KeptFacts) => ({
  services: {
    /** What was observed, by whom and when. */
    coverage: new CoverageStore(database, kept)
  }
})
