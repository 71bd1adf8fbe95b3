import type { Knex } from 'knex'

/**
 * Counts of requests need not outlive a crash of the server: not logged, they wait for no disk. And the status under an
 * idempotency key, which nothing reads, need not be written: versions that write it may serve beside this one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits set unlogged')
  await knex.raw('alter table idempotency_keys alter column status drop not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('update idempotency_keys set status = 200 where status is null')
  await knex.raw('alter table idempotency_keys alter column status set not null')
  await knex.raw('alter table rate_limits set logged')
}
