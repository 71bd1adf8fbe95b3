import type { Knex } from 'knex'

/** The sources of sets and games, so that their documents name them: an import writes them with the other facts. */
export async function up(knex: Knex): Promise<void> {
  for (const name of ['sets', 'games'])
    await knex.schema.alterTable(name, table => {
      table.specificType('sources', 'text[]').notNullable().defaultTo('{}').comment('Of its cards, sorted')
    })
  await knex.raw(`
    update sets s set sources = n.sources from (
      select set_id, array_agg(distinct source collate "C" order by source collate "C") as sources
      from cards, unnest(sources) as source group by 1
    ) n where n.set_id = s.id`)
  await knex.raw(`
    update games g set sources = n.sources from (
      select game, array_agg(distinct source collate "C" order by source collate "C") as sources
      from sets, unnest(sources) as source group by 1
    ) n where n.game = g.token`)
}

export async function down(knex: Knex): Promise<void> {
  for (const name of ['sets', 'games']) await knex.schema.alterTable(name, table => table.dropColumn('sources'))
}
