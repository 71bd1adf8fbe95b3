import type { Database } from 'pantry/database'
import { fetchPublic } from '../sources/read-public.ts'
import { Inbox } from './inbox.ts'
import { PartnerGallery, type Partner } from './partner-gallery.ts'

type Relation = Readonly<{ key: string; revision: string }>

export const openCulture = (partner: Partner | undefined, relations: readonly Relation[]) => ({
  services: {
    gallery: new PartnerGallery({
      partner,
      read: url => fetchPublic(url, { timeoutMs: 5_000, maxBytes: 1_048_576, accept: 'application/json' })
    }),
    /** The current revision of each relation between a card and an artwork, by the key of the relation. */
    relationRevisions: new Map(relations.map(({ key, revision }) => [key, revision])) as ReadonlyMap<string, string>
  }
})

export const openHospitality = (database: Database) => ({ services: { inbox: new Inbox(database) } })
