import type { Knex } from 'knex'

/**
 * The product that a printing came in, and the printings of each set by it. The next import of a source fills them; the
 * next start writes the lists.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('cards', table => {
    table.json('printed_in').comment('Kind, name and code of the product; null where no source says it')
  })
  await knex.raw(`
    create index cards_printed_in_index on cards (game, lower(printed_in ->> 'code')) where printed_in is not null`)
  await knex.schema.alterTable('set_listings', table => {
    table
      .text('printings')
      .notNullable()
      .defaultTo('[]')
      .comment('Canonical JSON of the printings that came in the set')
    table.integer('printing_count').notNullable().defaultTo(0).comment('Of all of them, listed or not')
  })
  await knex.raw('alter table set_listings alter column printings set storage external')
  await knex.raw("comment on column set_listings.digest is 'SHA-256 of the items and the printings'")
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("comment on column set_listings.digest is 'SHA-256 of the items'")
  await knex.schema.alterTable('set_listings', table => table.dropColumns('printings', 'printing_count'))
  await knex.schema.alterTable('cards', table => table.dropColumn('printed_in'))
}
