import type { Transaction } from 'pantry/database'

/** Key of the advisory lock of whoever writes cards. The number only has to be our own. */
const cardsLock = 7_241_953_006

/**
 * Waits until nobody else writes cards, in all processes: imports and the refresh of documents take turns. The turn
 * ends with the transaction.
 */
export async function takeTurn(transaction: Transaction): Promise<void> {
  await transaction.raw('select pg_advisory_xact_lock(?)', [cardsLock])
}

/** Says that the catalogue is another one when this transaction commits; see `KeptFacts`. */
export async function markChanged(transaction: Transaction): Promise<void> {
  await transaction.raw(
    "insert into catalogue_state (name, version) values ('catalogue', gen_random_uuid()) on conflict (name) do update set version = excluded.version"
  )
}
