import type { Knex } from 'knex'

/** `&` is found as `and`, and the signs of the sexes as letters: the index of names is built anew at the next start. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('truncate card_names, name_starts, name_numbers, name_words, set_words')
}

export async function down(knex: Knex): Promise<void> {
  await up(knex)
}
