import type { Database } from 'pantry/database'
import { CreditsDesk } from './credits.ts'

export const openDirectory = (database: Database) => ({
  services: {
    /** Who illustrated what. */
    credits: new CreditsDesk(database)
  }
})
