import type { Knex } from 'knex'

/** SKUs in byte order, whatever the collation of the database: printings of one number are found by the start of their SKU. */
export async function up (knex: Knex): Promise<void> {
  await knex.raw('create index cards_sku_bytes on cards (sku collate "C")')
}

export async function down (knex: Knex): Promise<void> {
  await knex.raw('drop index if exists cards_sku_bytes')
}
