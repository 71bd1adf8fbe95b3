import type { Knex } from 'knex'

/**
 * An observation is what a source says now; what it said before is in `sightings`. A card that nobody observes is
 * withdrawn, and its SKU says when and why.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('withdrawals', table => {
    table.specificType('sku', 'text collate "C"').primary()
    table.text('source').notNullable().comment('The last that observed the card')
    table.timestamp('withdrawn_at', { useTz: true }).notNullable()
    table.text('reason').notNullable().checkIn(['gone', 'moved', 'refused'])
    table
      .specificType('successor', 'text collate "C"')
      .comment('The SKU that the same row of the source has since; null when it has none')
  })
  await knex.schema.alterTable('runs', table => {
    table.smallint('precedence').comment('Sources with a lower number speak first of a card')
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('runs', table => {
    table.dropColumns('precedence')
  })
  await knex.schema.dropTable('withdrawals')
}
