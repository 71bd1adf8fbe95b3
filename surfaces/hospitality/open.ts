import type { Database } from 'pantry/database'
import { Inbox } from './inbox.ts'

export const openHospitality = (database: Database) => ({
  services: {
    /** Reports that their senders allowed the operator to store. */
    inbox: new Inbox(database)
  }
})
