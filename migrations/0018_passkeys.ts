import type { Knex } from 'knex'

/** Passkeys, and the challenges that their answers are for: each of them is used once. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('passkeys', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.uuid('person').notNullable().references('people.id').onDelete('cascade').index()
    table.text('credential').notNullable().unique()
    table.binary('public_key').notNullable()
    table.bigInteger('counter').notNullable()
    table.string('name', 80).notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.date('last_used_on')
  })
  await knex.schema.createTable('passkey_challenges', table => {
    table.text('digest').primary()
    table.uuid('person').references('people.id').onDelete('cascade')
    table.timestamp('expires_at').notNullable().index()
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['passkey_challenges', 'passkeys']) await knex.schema.dropTable(table)
}
