import type { Knex } from 'knex'

/** The column is named as what it refers to: `set_statements.id`. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('observations', table => {
    table.renameColumn('said', 'statement_id')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('observations', table => {
    table.renameColumn('statement_id', 'said')
  })
}
