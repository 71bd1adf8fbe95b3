import type { Knex } from 'knex'
import { migrationsOf } from '../../bin/roots.ts'
import {
  migrate as run,
  migrationStatus,
  type MigrationDirection,
  type MigrationStatus
} from '../../core/database/migrations.ts'

/** The migrations of the project, on a database of a test. */
export const migrate = (knex: Knex, direction?: MigrationDirection): Promise<readonly string[]> =>
  run(knex, migrationsOf([]), direction)

export const status = (knex: Knex): Promise<MigrationStatus> => migrationStatus(knex, migrationsOf([]))
