import type { Knex } from 'knex'
import { frameworkStep } from '../framework-step.ts'
import type { Migration } from '../migrations.ts'

/**
 * The tables of webhooks: who is told, what is to be told, and to whom it has not been told yet. They belong to the
 * framework, as that of jobs does.
 */
export const webhookMigrations: readonly Migration[] = [
  frameworkStep('0002_webhooks', {
    up: async (knex: Knex) => {
      await knex.raw(`create table pantry_webhook_endpoints (
        id text primary key,
        url text not null,
        types text[] not null,
        secret text not null,
        created_at timestamptz not null default clock_timestamp(),
        disabled_at timestamptz
      )`)
      await knex.raw(`create table pantry_webhook_messages (
        id text primary key,
        type text not null,
        data text not null,
        created_at timestamptz not null default now()
      )`)
      await knex.raw(`create table pantry_webhook_deliveries (
        message text not null references pantry_webhook_messages on delete cascade,
        endpoint text not null references pantry_webhook_endpoints on delete cascade,
        attempts integer not null default 0,
        due_at timestamptz not null default now(),
        last_problem text,
        dead_at timestamptz,
        primary key (message, endpoint)
      )`)
      await knex.raw('create index on pantry_webhook_deliveries (due_at) where dead_at is null')
      await knex.raw('create index on pantry_webhook_deliveries (endpoint)')
    },
    down: async (knex: Knex) => {
      for (const name of ['deliveries', 'messages', 'endpoints']) await knex.raw(`drop table pantry_webhook_${name}`)
    }
  }),
  frameworkStep('0004_webhook_rotation', {
    up: async (knex: Knex) => {
      await knex.raw('alter table pantry_webhook_endpoints add former_secret text, add former_until timestamptz')
    },
    down: async (knex: Knex) => {
      await knex.raw('alter table pantry_webhook_endpoints drop former_secret, drop former_until')
    }
  }),
  frameworkStep('0005_webhook_tries', {
    up: async (knex: Knex) => {
      await knex.raw('alter table pantry_webhook_deliveries add tried_at timestamptz')
    },
    down: async (knex: Knex) => {
      await knex.raw('alter table pantry_webhook_deliveries drop tried_at')
    }
  })
]
