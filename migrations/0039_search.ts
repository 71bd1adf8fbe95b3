import type { Knex } from 'knex'

/**
 * What a search of several words needs: the numbers of each name with the words of their printings, and the words of
 * sets. The names are emptied, because they are folded and counted otherwise; the next start fills them again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('truncate card_names, name_starts, name_words')
  await knex.schema.alterTable('card_names', table => {
    table.dropColumn('skus')
    table.integer('printings').notNullable()
    table.integer('numbers').notNullable().comment('Rows of name_numbers')
    table.text('sku').notNullable().comment('The first printing: English ones come first, then the order is by SKU')
    table.text('digest').notNullable().comment('MD5 of the rows of name_numbers')
  })
  await knex.schema.dropTable('name_starts')
  await knex.raw(`
    create table name_starts (
      game text collate "C" not null,
      start text collate "C" not null,
      name_id integer not null,
      printings integer not null,
      primary key (game, start, name_id) include (printings)
    )`)
  await knex.raw("comment on column name_starts.start is 'The folded name from a word on'")
  await knex.schema.createTable('name_numbers', table => {
    table.comment('The printings of one name, set and number that have the same words')
    table.specificType('id', 'integer generated always as identity').primary()
    table.integer('name_id').notNullable().index()
    table.text('game').notNullable()
    table.integer('set_id').notNullable().index()
    table.text('set_code').notNullable()
    table.text('card_number').notNullable().comment('As printed')
    table.text('number').notNullable().comment('Within the set, as foldNumber writes it')
    table.text('released_on')
    table.text('words').notNullable().comment('Folded, with a space around each: the name, the set and what is stated')
    table.specificType('skus', 'text[]').notNullable().comment('English ones first, then by SKU')
    table.index(['game', 'number'])
  })
  await knex.raw(`
    create table set_words (
      game text collate "C" not null,
      word text collate "C" not null,
      set_id integer not null,
      is_code boolean not null,
      primary key (game, word, set_id)
    )`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('set_words')
  await knex.schema.dropTable('name_numbers')
  await knex.raw('truncate card_names, name_starts, name_words')
  await knex.schema.alterTable('card_names', table => {
    table.dropColumns('printings', 'numbers', 'sku', 'digest')
    table.specificType('skus', 'text[]').notNullable()
  })
  await knex.schema.dropTable('name_starts')
  await knex.raw(`
    create table name_starts (
      game text collate "C" not null,
      is_inner boolean not null,
      start text collate "C" not null,
      name_id integer not null,
      primary key (game, is_inner, start, name_id)
    )`)
}
