import type { Knex } from 'knex'

/**
 * What happened to cards, without any of their values: names of fields, and the content hashes that cards had before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('card_changes', table => {
    table.bigIncrements('id')
    table.specificType('sku', 'text collate "C"').notNullable().index()
    table.text('kind').notNullable().checkIn(['changed', 'rewritten', 'withdrawn'])
    table.bigInteger('run').comment('The import; null where the service writes the same facts otherwise')
    table.text('source').index().comment('Whose import it was')
    table.timestamp('changed_at', { useTz: true }).notNullable()
    table.specificType('fields', 'text[]').notNullable().comment('Names of the fields that differ')
    table.text('former_hash').comment('The content hash before, where it differs')
  })
  await knex.raw(
    'create index card_changes_former_hash_index on card_changes using hash (former_hash) where former_hash is not null'
  )
  // When a card was seen first is looked up by its SKU.
  await knex.schema.alterTable('sightings', table => {
    table.index(['sku'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sightings', table => {
    table.dropIndex(['sku'])
  })
  await knex.schema.dropTable('card_changes')
}
