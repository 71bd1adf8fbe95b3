import type { Knex } from 'knex'

const index = 'name_words_likeness_index'

/**
 * Words that an import has written go into the index of similar words at once. PostgreSQL puts them into a list beside
 * it otherwise, which makes the index look so expensive that every word is compared instead.
 */
export async function up(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { has: boolean }[] }>('select to_regclass(?) is not null as has', [index])
  if (rows[0]?.has !== true) return
  await knex.raw(`alter index ${index} set (fastupdate = off)`)
  await knex.raw('select gin_clean_pending_list(?)', [index])
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter index if exists ${index} reset (fastupdate)`)
}
