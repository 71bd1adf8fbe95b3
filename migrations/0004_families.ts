import type { Knex } from 'knex'

const tables = ['cards', 'observations', 'sightings', 'disagreements', 'quarantine']

/**
 * SKUs in byte order, whatever the collation of the database: printings of one number are found by the start of their
 * SKU.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of tables) await knex.raw('alter table ?? alter column sku type text collate "C"', [table])
}

export async function down(knex: Knex): Promise<void> {
  for (const table of tables) await knex.raw('alter table ?? alter column sku type text collate "default"', [table])
}
