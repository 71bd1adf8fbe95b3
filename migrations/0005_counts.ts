import type { Knex } from 'knex'

/**
 * Counts that the import keeps, so that no request counts all cards: numbers of a set, and who illustrated how many
 * cards of which game.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sets', table => {
    table.integer('number_count').notNullable().defaultTo(0).comment('Cards told apart by number only')
  })
  await knex.raw(
    'update sets s set number_count = (select count(distinct card_number) from cards c where c.set_id = s.id)'
  )
  await knex.schema.createTable('artists', table => {
    table.text('game').notNullable()
    table.text('name').notNullable().comment('As the upstream writes it')
    table.specificType('name_key', 'text').notNullable().comment('Lowercase name: the key of lookups')
    table.integer('works').notNullable().comment('Cards that credit the name')
    table.specificType('first_works', 'text[]').notNullable().comment('SKUs of the first of them, in byte order')
    table.primary(['game', 'name'])
    table.index(['name_key'])
  })
  await knex.raw(`
    insert into artists (game, name, name_key, works, first_works)
    select game, artist, lower(artist), count(distinct sku)::int, (array_agg(distinct sku collate "C"))[1:12] from cards, unnest(illustrators) as artist where artist <> '' group by game, artist`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('artists')
  await knex.schema.alterTable('sets', table => {
    table.dropColumn('number_count')
  })
}
