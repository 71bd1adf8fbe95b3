import type { Knex } from 'knex'

export const replaces = ['0020_inbox']

/** Reports that their senders let the operator keep, with the reply of the operator. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('feedback_reports', table => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.jsonb('report').notNullable()
    table.boolean('reply_may_be_public').notNullable()
    table.timestamp('received_at').notNullable().defaultTo(knex.fn.now()).index()
    table.string('reply', 4000)
    table.timestamp('replied_at')
  })
  await knex.raw('alter table feedback_reports add check ((reply is null) = (replied_at is null))')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('feedback_reports')
}
