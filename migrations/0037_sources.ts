import type { Knex } from 'knex'

export const replaces = ['0014_shared']

/** The last value that was read from each outside service, such as exchange rates, by name. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('outside_readings', table => {
    table.comment('What was last read of places outside, by their names')
    table.text('name').primary()
    table.timestamp('read_at').notNullable()
    table.jsonb('value').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('outside_readings')
}
