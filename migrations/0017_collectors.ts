import type { Knex } from 'knex'

/** What people say of themselves, the cards that they have and look for, and the collectives that they speak for. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('profiles', table => {
    table.uuid('person').primary().references('people.id').onDelete('cascade')
    table.specificType('languages', 'text[]').notNullable()
    table.string('region', 2)
    table.text('cadence')
  })
  await knex.schema.createTable('list_cards', table => {
    table.uuid('person').notNullable().references('people.id').onDelete('cascade')
    table.text('list').notNullable().checkIn(['have', 'want'])
    table.string('sku', 160).notNullable()
    table.integer('quantity').notNullable().checkPositive()
    table.primary(['person', 'list', 'sku'])
  })
  await knex.schema.createTable('organisations', table => {
    table.uuid('person').primary().references('people.id').onDelete('cascade')
    table.string('slug', 80).notNullable().unique()
    table.string('display_name', 120).notNullable()
    table.text('kind').notNullable()
    table.string('region', 2)
    table.specificType('languages', 'text[]').notNullable()
    table.specificType('games', 'text[]').notNullable()
    table.string('description', 500).notNullable()
    table.string('website_url', 300)
    table.string('public_contact_url', 300)
    table.string('accessibility_notes', 500)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('approved_at')
  })
  // What is public of collectives: what is approved, of somebody who is not suspended, with a receipt for the directory
  // that holds now.
  await knex.raw(`
    create view listed_organisations as select o.*, r.given_at as listed_at from organisations o join people p on p.id = o.person and p.suspended_at is null
      join publication_receipts r on r.person = o.person and r.scope = 'organisation' and r.withdrawn_at is null where o.approved_at is not null`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop view listed_organisations')
  for (const table of ['organisations', 'list_cards', 'profiles']) await knex.schema.dropTable(table)
}
