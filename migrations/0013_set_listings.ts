import type { Knex } from 'knex'

/**
 * What the document of a set lists of its cards, as it is sent. The service fills it when it starts, an import from
 * then on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('set_listings', table => {
    table.integer('set_id').primary().references('id').inTable('sets').onDelete('CASCADE')
    table.text('items').notNullable().comment('Canonical JSON')
    table.integer('cards').notNullable().comment('How many it lists')
    table.text('digest').notNullable().comment('SHA-256 of the items')
  })
  // To compress a list takes longer than to write it.
  await knex.raw('alter table set_listings alter column items set storage external')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('set_listings')
}
