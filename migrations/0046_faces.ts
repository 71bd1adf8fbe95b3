import type { Knex } from 'knex'

/** The faces of a card that has several. The next import of a source fills them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('cards', table => {
    table
      .jsonb('faces')
      .comment('Side, name and attributes of each face; null where no source says that there are several')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('cards', table => table.dropColumn('faces'))
}
