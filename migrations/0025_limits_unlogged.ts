import type { Knex } from 'knex'

/** Counts of requests need not outlive a crash of the server: without a log of its own, counting one waits for no disk. */
export async function up (knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits set unlogged')
}

export async function down (knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits set logged')
}
