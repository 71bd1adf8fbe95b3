import type { Database } from 'pantry/database'
import { CardPoolReader } from './meta/card-pool.ts'
import { createSeal } from './practice/seal.ts'
import { keptSecret } from './practice/secret.ts'
import { Printings } from './printings.ts'

/** `warn` is told when the secret of the practice matches cannot be kept in `dataDir`. */
export const openPlay = (database: Database, dataDir: string, warn: (message: string) => void) => ({
  services: {
    /** Cards to play with, by card number. */
    printings: new Printings(database),
    /** What decks can be built from, counted. */
    cardPool: new CardPoolReader(database),
    /** Seals the practice matches that callers carry. */
    practiceSeal: createSeal(() => keptSecret(dataDir, warn))
  }
})
