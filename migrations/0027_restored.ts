import type { Knex } from 'knex'

/**
 * Tables whose rows a restored backup must not bring back: they were ended or used meanwhile, and nobody can tell
 * which.
 */
const ended = [
  'sessions',
  'sign_in_codes',
  'mailed_codes',
  'passkey_challenges',
  'invitations',
  'idempotency_keys',
  'seals'
]

/**
 * What a restore leaves out, said at the tables themselves, and secrets of seals, so that what was sealed before it
 * does not hold after it; and when rights were changed last, by which the journal tells what a backup does not know
 * yet.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('seals', table => {
    table.text('name').primary()
    table.text('secret').notNullable()
  })
  for (const table of ended) {
    // A comment is a literal: it has no parameters.
    await knex.raw(`comment on table ${table} is 'Ends with a restore.'`)
  }
  await knex.schema.alterTable('people', table => {
    table.timestamp('suspension_changed_at')
    table.timestamp('roles_changed_at')
  })
  await knex.schema.alterTable('access_keys', table => {
    table.timestamp('tier_changed_at')
    table.timestamp('scopes_changed_at')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('access_keys', table => {
    table.dropColumns('tier_changed_at', 'scopes_changed_at')
  })
  await knex.schema.alterTable('people', table => {
    table.dropColumns('suspension_changed_at', 'roles_changed_at')
  })
  for (const table of ended) await knex.raw(`comment on table ${table} is null`)
  await knex.schema.dropTable('seals')
}
