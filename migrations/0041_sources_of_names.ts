import type { Knex } from 'knex'

/** The sources of names, so that a search names them: an import writes them with the names. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('card_names', table => {
    table.specificType('sources', 'text[]').notNullable().defaultTo('{}').comment('Of its printings, sorted')
  })
  await knex.raw(`
    update card_names n set sources = s.sources from (
      select r.name_id, array_agg(distinct source collate "C" order by source collate "C") as sources
      from name_numbers r cross join lateral unnest(r.skus) as printing(sku)
      join cards c on c.sku = printing.sku cross join lateral unnest(c.sources) as source
      group by 1
    ) s where s.name_id = n.id`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('card_names', table => table.dropColumn('sources'))
}
