import type { Database } from 'pantry/database'
import { Inbox } from './inbox.ts'

export const openHospitality = (database: Database) => ({
  services: {
    /** Reports that their senders let the operator keep. */
    inbox: new Inbox(database)
  }
})
