import type { Knex } from 'pantry/database'
import { personalTables } from './personal.ts'

/**
 * Before a person is deleted: what no key leads to, and what they wrote where rows stay because others depend on them.
 * The last table first: acts say of what they are by what is listed before.
 */
export async function eraseWords(transaction: Knex, person: string): Promise<void> {
  for (const { leaving = [] } of personalTables.toReversed())
    for (const sql of leaving) await transaction.raw(sql, { person })
}
