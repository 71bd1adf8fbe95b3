import type { Knex } from 'knex'

/**
 * So that nobody closes anything for others: a mailed code says who asked for it, and tries of a code are counted by
 * those who try, and not in its row (versions that count them there may serve beside this one).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('mailed_codes', table => {
    table.text('asked_by')
  })
  await knex.raw('alter table sign_in_codes alter column attempts_left set default 5')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sign_in_codes alter column attempts_left drop default')
  await knex.schema.alterTable('mailed_codes', table => {
    table.dropColumn('asked_by')
  })
}
