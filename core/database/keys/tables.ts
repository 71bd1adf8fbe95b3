import type { Knex } from 'knex'
import type { MigrationSteps } from '../migrations.ts'
import { windowsTable } from './windows.ts'

export const keysTable = 'pantry_keys'
export const requestsTable = 'pantry_key_requests'

/** Makes the tables of keys and of their requests: the migration of a root that gives keys. */
export const keyTables: MigrationSteps & Readonly<{ down: (knex: Knex) => Promise<void> }> = {
  up: async knex => {
    await knex.raw(`create table ${keysTable} (
      id uuid primary key default gen_random_uuid(),
      digest text not null unique,
      prefix text not null unique,
      name text not null,
      scopes text[] not null,
      requests_per_minute integer check (requests_per_minute > 0),
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      last_used_on date,
      revoked_at timestamptz
    )`)
    await windowsTable(knex, requestsTable)
  },
  down: async knex => {
    await knex.raw(`drop table ${requestsTable}`)
    await knex.raw(`drop table ${keysTable}`)
  }
}
