import type { Transaction } from 'pantry/database'

/**
 * Derives further data from the cards. An import calls it with the games whose cards changed, in the same transaction,
 * after the cards are written. Projections run in the order of registration. The temporary table `touched_sets` (`id`)
 * lists the sets that had or have one of the changed cards.
 */
export type Projection = (transaction: Transaction, games: readonly string[]) => Promise<void>
