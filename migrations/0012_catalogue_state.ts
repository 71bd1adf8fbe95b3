import type { Knex } from 'knex'

/**
 * Which state the catalogue is in. Every change of it writes another one, in the same transaction: what was computed of
 * the store is right as long as it is the same. No row says the catalogue that nobody has written to.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('catalogue_state', table => {
    table.text('name').primary().checkIn(['catalogue'])
    table.uuid('version').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('catalogue_state')
}
