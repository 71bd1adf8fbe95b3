import type { Knex } from 'knex'

/**
 * Names of one character, and of signs alone, are looked up too: the index of names is emptied, and made again when the
 * service starts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('truncate card_names, name_starts, name_words')
}

/** The code before looks none of them up, and finds all others in the index as it is. */
export async function down(): Promise<void> {
  await Promise.resolve()
}
