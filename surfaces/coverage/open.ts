import type { Database } from 'pantry/database'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import { CoverageStore } from './coverage-store.ts'
import { HuntCases } from './hunt/cases.ts'

export const openCoverage = (database: Database, kept: KeptFacts) => ({
  services: {
    /** What was observed, by whom and when. */
    coverage: new CoverageStore(database, kept),
    /** What agents say of a candidate, and what a person makes of it. */
    huntCases: new HuntCases(database)
  }
})
