import type { Knex } from 'knex'

/**
 * Cases of the Coverage Hunt. A state is not stored: it follows from the turns, the deadline and the review. A turn
 * loses its agent with the key; what it says stays.
 */
export async function up(knex: Knex): Promise<void> {
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
  for (const table of ['hunt_turns', 'hunt_cases']) await knex.schema.dropTable(table)
}
