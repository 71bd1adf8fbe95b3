import type { Database } from 'pantry/database'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import { CoverageStore } from './coverage-store.ts'
import { HuntCases } from './hunt/cases.ts'

export const openCoverage = (database: Database, kept: KeptFacts) => ({
  services: {
    /** The archive of what was observed, by which source and when. */
    coverage: new CoverageStore(database, kept),
    /** The turns of agents on candidates, and reviewers' decisions. */
    huntCases: new HuntCases(database)
  }
})
