import type { Database } from 'pantry/database'
import type { CatalogueCache } from '../cards/kept.ts'
import { createCardPool } from './card-pool.ts'
import { Printings } from './deck-rules.ts'
import { createSeal, keptSecret } from './practice/seal.ts'

/** `warn` is called when the secret that an earlier version stored in `dataDir` cannot be used. */
export const openPlay = (
  database: Database,
  kept: CatalogueCache,
  dataDir: string,
  warn: (message: string) => void
) => ({
  services: {
    printings: new Printings(database),
    cardPool: createCardPool(database, kept),
    /** Seals the practice matches, which callers store themselves. */
    practiceSeal: createSeal(() => keptSecret(database, dataDir, warn))
  }
})
