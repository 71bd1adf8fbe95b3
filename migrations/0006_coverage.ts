import type { Knex } from 'knex'

/**
 * What coverage is counted from. Counting distinct cards exactly, over any days and sources, would read every sighting;
 * most cards share theirs with thousands of others, so one row stands for all cards of a game that were seen at the
 * same times.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('coverage_patterns', table => {
    table.text('game').notNullable().index()
    table.jsonb('sightings').notNullable().comment('[source, from_run, until_run] of each sighting, by source and run')
    table.integer('cards').notNullable().comment('How many cards of the game have exactly these sightings')
  })
  await knex.schema.createTable('unseen_sets', table => {
    table.integer('set_id').notNullable().references('id').inTable('sets').onDelete('CASCADE')
    table.text('source').notNullable()
    table
      .bigInteger('until_run')
      .notNullable()
      .comment('The run since which the source, which showed cards of the set, shows none')
    table.primary(['set_id', 'source'])
  })
  await knex.raw(`
    with seen as (
      select c.game, c.set_id, jsonb_agg(jsonb_build_array(s.source, s.from_run, s.until_run) order by s.source collate "C", s.from_run) as sightings
      from cards c join (
        select sku, source, from_run, until_run from sightings
        union all select sku, source, from_run, null from observations where from_run is not null
      ) s using (sku) group by c.sku
    ), patterns as materialized (
      select game, set_id, sightings, count(*) as cards from seen group by game, set_id, sightings
    ), unseen as (
      insert into unseen_sets (set_id, source, until_run)
      select set_id, s ->> 0, max((s ->> 2)::bigint) from patterns, jsonb_array_elements(sightings) s group by set_id, s ->> 0 having bool_and(s ->> 2 is not null)
    ) insert into coverage_patterns (game, sightings, cards) select game, sightings, sum(cards) from patterns group by game, sightings`)
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['unseen_sets', 'coverage_patterns']) await knex.schema.dropTableIfExists(table)
}
