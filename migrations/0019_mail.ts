import type { Knex } from 'knex'

/** Mail addresses that their owners have confirmed, the codes that were mailed, and the operator's invitations. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('mail_addresses', table => {
    table.uuid('person').primary().references('people.id').onDelete('cascade')
    table.string('address', 254).notNullable().unique()
    table.timestamp('confirmed_at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('mailed_codes', table => {
    table.text('request').primary()
    table.uuid('person').references('people.id').onDelete('cascade')
    table.string('address', 254).notNullable()
    table.text('purpose').notNullable().checkIn(['sign-in', 'sign-up', 'address'])
    table.text('digest').notNullable()
    table.smallint('attempts_left').notNullable().checkBetween([0, 5])
    table.timestamp('asked_at').notNullable().defaultTo(knex.fn.now())
    table.index(['address', 'asked_at'])
  })
  await knex.schema.createTable('invitations', table => {
    table.text('digest').primary()
    table.timestamp('expires_at').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['invitations', 'mailed_codes', 'mail_addresses']) await knex.schema.dropTable(table)
}
