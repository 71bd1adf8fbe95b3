import type { Knex } from 'knex'
import { migrationsOf } from '../../bin/roots.ts'
import { migrate } from '../../core/database/migrations.ts'

/** Runs the migrations of one root in a database that has none. */
export async function migrateRoot(knex: Knex, root: string): Promise<void> {
  await migrate(knex, migrationsOf([root]))
}
