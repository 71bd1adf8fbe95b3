import type { Knex } from 'knex'

/**
 * People, what they sign in with, and keys. What is secret is stored as its SHA-256. `surfaces/people/personal.ts`
 * says of every column what it is for and when it is deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('people', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.specificType('username', 'text collate "C"').notNullable().unique()
    table.specificType('roles', 'text[]').notNullable().defaultTo('{}')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('suspended_at')
  })
  const ofPerson = (table: Knex.CreateTableBuilder): Knex.ReferencingColumnBuilder =>
    table.uuid('person').notNullable().references('people.id').onDelete('cascade')
  await knex.schema.createTable('sign_in_codes', table => {
    ofPerson(table).primary()
    table.text('digest').notNullable()
    table.integer('attempts_left').notNullable()
    table.timestamp('expires_at').notNullable()
  })
  await knex.schema.createTable('sign_in_counts', table => {
    table.comment(
      'How many codes were tried, in parts that names are spread over: so that a name nobody has costs as much as another'
    )
    table.integer('part').primary()
    table.bigInteger('tried').notNullable()
  })
  await knex.schema.createTable('sessions', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.text('digest').notNullable().unique()
    table.text('form_token').notNullable()
    ofPerson(table).index()
    table.timestamp('signed_in_at').notNullable().defaultTo(knex.fn.now())
    table.date('last_used_on').notNullable()
    table.timestamp('expires_at').notNullable()
  })
  await knex.schema.createTable('access_keys', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.text('digest').notNullable().unique()
    table.text('kind').notNullable().checkIn(['agent', 'wholesale'])
    table.text('origin').notNullable().checkIn(['operator-managed', 'self-serve'])
    table.uuid('person').references('people.id').onDelete('cascade').index()
    table.text('name').notNullable()
    table.text('contact').notNullable()
    table.text('tier').notNullable().checkIn(['free', 'standard', 'partner'])
    table.specificType('scopes', 'text[]').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('expires_at')
    table.date('last_used_on')
    table.timestamp('revoked_at')
  })
  await knex.schema.createTable('publication_receipts', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    ofPerson(table).index()
    table.text('scope').notNullable()
    table.text('notice_version').notNullable()
    table.timestamp('given_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('withdrawn_at')
  })
  await knex.raw(
    'create unique index publication_receipts_current on publication_receipts (person, scope) where withdrawn_at is null'
  )
  await knex.schema.createTable('account_acts', table => {
    table.comment(
      'What was done to accounts, by whom: people by their ids, which say nothing once they have left; no secrets'
    )
    table.increments('id')
    table.timestamp('at').notNullable().defaultTo(knex.fn.now()).index()
    table.text('actor').notNullable()
    table.text('act').notNullable()
    table.text('subject').notNullable()
    table.jsonb('details').notNullable()
  })
  // As `rate-limiter-flexible` names them.
  await knex.schema.createTable('rate_limits', table => {
    table.string('key', 255).primary()
    table.integer('points').notNullable().defaultTo(0)
    table.bigInteger('expire')
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'rate_limits',
    'account_acts',
    'publication_receipts',
    'access_keys',
    'sessions',
    'sign_in_counts',
    'sign_in_codes',
    'people'
  ])
    await knex.schema.dropTable(table)
}
