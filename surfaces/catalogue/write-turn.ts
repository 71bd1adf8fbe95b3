/** Writing the catalogue: turns of the writers, projections, card lists of sets, and documents of an older form. */
import type { Transaction } from 'pantry/database'

/** The key of the advisory lock for writing cards; any number that nothing else uses would do. */
const cardsLock = 7_241_953_006

/**
 * Waits until no other process writes cards: imports and the refresh of documents take turns. The lock is released at
 * the end of the transaction.
 */
export async function takeTurn(transaction: Transaction): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?)', [cardsLock])
}

/** Marks the catalogue as changed when this transaction commits, which invalidates `KeptFacts`. */
export async function markChanged(transaction: Transaction): Promise<void> {
  await transaction.raw(
    "insert into catalogue_state (name, version) values ('catalogue', gen_random_uuid()) on conflict (name) do update set version = excluded.version"
  )
}
