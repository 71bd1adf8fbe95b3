import type { Database } from 'pantry/database'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import { CardPoolReader } from './meta/card-pool.ts'
import { createSeal } from './practice/seal.ts'
import { keptSecret } from './practice/secret.ts'
import { Printings } from './printings.ts'

/** `warn` is told when the secret that an earlier version kept in `dataDir` cannot be used. */
export const openPlay = (database: Database, kept: KeptFacts, dataDir: string, warn: (message: string) => void) => ({
  services: {
    /** Cards to play with, by card number. */
    printings: new Printings(database),
    /** What decks can be built from, counted. */
    cardPool: new CardPoolReader(database, kept),
    /** Seals the practice matches that callers carry. */
    practiceSeal: createSeal(() => keptSecret(database, dataDir, warn))
  }
})
