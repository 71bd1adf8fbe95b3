import { digestOf } from 'pantry/data'
import type { Knex } from 'pantry/database'

/** How many parts of the counter names are spread over. */
const parts = 256

/**
 * Writes once for each try with a name or an address, whether somebody has it or not: so its commit takes as long, and
 * its time says nothing.
 */
export async function countTry(transaction: Knex.Transaction, name: string): Promise<void> {
  const part = Number.parseInt(digestOf(name).slice(0, 8), 16) % parts
  await transaction('sign_in_counts')
    .insert({ part, tried: 1 })
    .onConflict('part')
    .merge({ tried: transaction.raw('sign_in_counts.tried + 1') })
}
