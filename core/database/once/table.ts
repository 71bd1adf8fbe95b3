import type { Knex } from 'knex'
import { frameworkStep } from '../framework-step.ts'
import type { Migration } from '../migrations.ts'

/**
 * The table of answers that are kept for idempotency keys. Keys may have been used since a backup, so a restore leaves
 * it empty. Each of the two sequences numbers the answers to one of both: known and anonymous callers.
 */
export const onceMigrations: readonly Migration[] = [
  frameworkStep('0003_idempotency', {
    up: async (knex: Knex) => {
      await knex.raw(`create table pantry_idempotency_keys (
        id text primary key,
        digest text not null,
        answer text not null,
        is_anonymous boolean not null,
        place bigint not null,
        expires_at timestamptz not null
      )`)
      await knex.raw('create index on pantry_idempotency_keys (expires_at)')
      await knex.raw('create index on pantry_idempotency_keys (is_anonymous, place)')
      await knex.raw("comment on table pantry_idempotency_keys is 'Ends with a restore.'")
      for (const who of ['known', 'anonymous']) await knex.raw(`create sequence pantry_idempotency_${who}`)
    },
    down: async (knex: Knex) => {
      await knex.raw('drop table pantry_idempotency_keys')
      for (const who of ['known', 'anonymous']) await knex.raw(`drop sequence pantry_idempotency_${who}`)
    }
  })
]
