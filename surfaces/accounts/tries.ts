import { digestOf } from 'pantry/data'
import type { Knex } from 'pantry/database'

/** The number of rows over which the counter is spread. */
const parts = 256

/**
 * Counts each attempt with a name or an address, whether it exists or not. The write makes both cases take the same
 * time to commit, so that response times reveal nothing.
 */
export async function countTry(transaction: Knex.Transaction, name: string): Promise<void> {
  const part = Number.parseInt(digestOf(name).slice(0, 8), 16) % parts
  await transaction('sign_in_counts')
    .insert({ part, tried: 1 })
    .onConflict('part')
    .merge({ tried: transaction.raw('sign_in_counts.tried + 1') })
}
