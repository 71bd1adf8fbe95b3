import type { Database } from 'pantry/database'
import { CardLists } from './lists.ts'
import { Organisations } from './organisations.ts'
import { Parties } from './parties.ts'
import { Profiles } from './profiles.ts'

export const openCollectors = (database: Database) => ({
  services: {
    cardLists: new CardLists(database),
    profiles: new Profiles(database),
    organisations: new Organisations(database),
    /** Reads the published data of parties for comparisons. */
    parties: new Parties(database)
  }
})
