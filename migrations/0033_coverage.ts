import type { Knex } from 'knex'

export const replaces = ['0006_coverage', '0016_hunt', '0023_set_numbers']

/**
 * What coverage is counted from, and the cases of the Coverage Hunt. Most cards share their sightings with thousands of
 * others, so one row of `coverage_patterns` counts all cards of a game that were seen in the same runs, and cards are
 * counted without reading every sighting.
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
  // The gaps between the whole numbers that were seen of each set, so that the hunt can ask for the numbers in them.
  await knex.schema.createTable('set_numbers', table => {
    table.integer('set_id').primary().references('id').inTable('sets').onDelete('CASCADE')
    table.integer('lowest').notNullable()
    table.integer('highest').notNullable()
    table.integer('unseen').notNullable().comment('How many between the two were not seen')
    table.jsonb('gaps').notNullable().comment('[first, last] of each run of them, in order')
  })
  // Cases of the Coverage Hunt. The state of a case follows from its turns, deadline and review. When the key of an
  // agent is deleted, its turns stay, without the agent.
  await knex.schema.createTable('hunt_cases', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.string('candidate_id', 27).notNullable().index()
    table.jsonb('candidate').notNullable()
    table.timestamp('opened_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('expires_at').notNullable()
    table.text('resolution').checkIn(['accept_as_gap', 'accept_as_correction_candidate', 'reject', 'duplicate'])
    table.string('reason', 2000)
    table.timestamp('reviewed_at')
  })
  await knex.raw(
    'alter table hunt_cases add check ((resolution is null) = (reviewed_at is null) and (resolution is null) = (reason is null))'
  )
  await knex.schema.createTable('hunt_turns', table => {
    table.uuid('case_id').notNullable().references('hunt_cases.id').onDelete('cascade')
    table.text('role').notNullable().checkIn(['scout', 'checker', 'mirror'])
    table.uuid('agent').references('access_keys.id').onDelete('set null')
    table.string('client_request_id', 100).notNullable()
    table.text('digest').notNullable()
    table.jsonb('submission').notNullable()
    table.timestamp('submitted_at').notNullable().defaultTo(knex.fn.now())
    table.primary(['case_id', 'role'])
    table.unique(['case_id', 'agent'])
    table.unique(['agent', 'client_request_id'])
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['hunt_turns', 'hunt_cases', 'set_numbers', 'unseen_sets', 'coverage_patterns'])
    await knex.schema.dropTable(table)
}
