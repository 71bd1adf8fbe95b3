import type { Knex } from 'knex'

/** The sources of names, so that a search names them. The names are emptied; the next start fills them again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('truncate card_names, name_starts, name_words, name_numbers, set_words')
  await knex.schema.alterTable('card_names', table => {
    table.specificType('sources', 'text[]').notNullable().comment('Of its printings, sorted')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('card_names', table => table.dropColumn('sources'))
}
