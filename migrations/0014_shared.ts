import type { Knex } from 'knex'

/** What several processes of one service need to have in common. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('secrets', table => {
    table.text('name').primary()
    table.text('secret').notNullable().comment('Bytes in base64url')
  })
  await knex.schema.createTable('outside_readings', table => {
    table.comment('What was last read of places outside, by their names')
    table.text('name').primary()
    table.timestamp('read_at').notNullable()
    table.jsonb('value').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('outside_readings')
  await knex.schema.dropTable('secrets')
}
