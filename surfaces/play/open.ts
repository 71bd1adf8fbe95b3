import type { Database } from 'pantry/database'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import { CardPoolReader } from './meta/card-pool.ts'
import { createSeal } from './practice/seal.ts'
import { keptSecret } from './practice/secret.ts'
import { Printings } from './printings.ts'

/**
 * Creates the services of play. `warn` is called when the secret that an earlier version stored in `dataDir` cannot be
 * used.
 */
export const openPlay = (database: Database, kept: KeptFacts, dataDir: string, warn: (message: string) => void) => ({
  services: {
    /** Reads cards for playing, by card number. */
    printings: new Printings(database),
    /** Counts the cards from which decks can be built. */
    cardPool: new CardPoolReader(database, kept),
    /** Seals the practice matches, which callers store themselves. */
    practiceSeal: createSeal(() => keptSecret(database, dataDir, warn))
  }
})
