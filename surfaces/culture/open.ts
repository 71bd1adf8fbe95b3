import { readPublic } from '../outside/read-public.ts'
import { PartnerGallery } from './partner-gallery/gallery.ts'
import type { Partner } from './partner-gallery/partner.ts'

type Relation = Readonly<{ key: string; revision: string }>

export const openCulture = (partner: Partner | undefined, relations: readonly Relation[]) => ({
  services: {
    /** The feed of the partner gallery. */
    gallery: new PartnerGallery({
      partner,
      read: url => readPublic(url, { timeoutMs: 5_000, maxBytes: 1_048_576, accept: 'application/json' })
    }),
    /** The current revision of each relation between a card and an artwork, by key. */
    relationRevisions: new Map(relations.map(({ key, revision }) => [key, revision])) as ReadonlyMap<string, string>
  }
})
