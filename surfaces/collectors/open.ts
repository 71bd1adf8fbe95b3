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
    /** Who can be compared with whom. */
    parties: new Parties(database)
  }
})
