import type { Transaction } from 'pantry/database'

/**
 * Something that readers ask for and that follows from the cards. An import calls it with the games whose cards
 * changed, within its transaction, after the cards are written; projections run in the order in which they are
 * registered. The temporary table `touched_sets` (`id`) names the sets that had or have one of the cards.
 */
export type Projection = (transaction: Transaction, games: readonly string[]) => Promise<void>
