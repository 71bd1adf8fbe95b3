import type { Knex } from 'pantry/database'
import { personalTables } from './personal.ts'

/**
 * Prepares the deletion of a person: deletes rows that no foreign key covers, and removes their texts from rows that
 * must stay. Processes the tables last to first, because the SQL of `account_acts` looks up rows of tables before it in
 * the list.
 */
export async function eraseWords(transaction: Knex, person: string): Promise<void> {
  for (const { leaving = [] } of personalTables.toReversed())
    for (const sql of leaving) await transaction.raw(sql, { person })
}
