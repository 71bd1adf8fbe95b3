import type { Knex } from 'knex'

/**
 * Content hashes are looked up whole and come in no order: an index by hash takes a third of the time to write that one
 * in order takes. A hash is a card's own because its SKU is.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table cards drop constraint cards_content_hash_unique')
  await knex.raw('create index cards_content_hash_index on cards using hash (content_hash)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index cards_content_hash_index')
  await knex.raw('alter table cards add constraint cards_content_hash_unique unique (content_hash)')
}
