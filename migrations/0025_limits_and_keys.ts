import type { Knex } from 'knex'

/** Counts of requests need not outlive a crash of the server: not logged, they wait for no disk. And only what was done is kept under an idempotency key, so there is no status to keep. */
export async function up (knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits set unlogged')
  await knex.raw('alter table idempotency_keys drop column status')
}

export async function down (knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_keys add column status integer not null default 200')
  await knex.raw('alter table rate_limits set logged')
}
