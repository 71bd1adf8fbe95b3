import type { Knex } from 'knex'
import { frameworkStep } from '../framework-step.ts'
import type { Migration } from '../migrations.ts'

/** The table of jobs, one row for each. */
export const jobMigrations: readonly Migration[] = [
  frameworkStep('0001_jobs', {
    up: async (knex: Knex) => {
      await knex.raw(`create table pantry_jobs (
        name text primary key,
        created_at timestamptz not null default clock_timestamp(),
        holder uuid,
        lease_until timestamptz,
        began_at timestamptz,
        ended_at timestamptz,
        outcome text check (outcome in ('running', 'done', 'failed', 'stopped')),
        error_code text,
        tries integer not null default 0,
        runs bigint not null default 0,
        failures bigint not null default 0
      )`)
    },
    down: async (knex: Knex) => {
      await knex.raw('drop table pantry_jobs')
    }
  })
]
