import type { Database } from 'pantry/database'
import { personalTables } from './personal.ts'

/**
 * Deletes all rows about people whose retention has ended, as the notice says. Runs at the start and every ten minutes.
 */
export async function deleteEnded({ knex }: Pick<Database, 'knex'>): Promise<void> {
  for (const { table, ended } of personalTables) if (ended !== undefined) await knex(table).whereRaw(ended).delete()
}
