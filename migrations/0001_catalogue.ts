import type { Knex } from 'knex'

/**
 * Games, sets and cards as they are published, the observations they rest on, and the runs that made them.
 * No column can hold a price, an image, a shop identifier or a link: what may not be published is not stored.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('runs', table => {
    table.bigIncrements('id')
    table.text('source').notNullable().index()
    table.text('status').notNullable().checkIn(['running', 'succeeded', 'failed'])
    table.timestamp('started_at', { useTz: true }).notNullable()
    table.timestamp('finished_at', { useTz: true })
    table.text('snapshot').comment('SHA-256 over the files that were read, lowercase hex')
    table.integer('rows_read').notNullable().defaultTo(0)
    table.integer('rows_written').notNullable().defaultTo(0)
    table.integer('rows_unchanged').notNullable().defaultTo(0)
    table.integer('rows_quarantined').notNullable().defaultTo(0)
  })
  await knex.schema.createTable('games', table => {
    table.text('token').primary()
    table.text('content_hash').notNullable().index()
    table.integer('set_count').notNullable()
    table.integer('card_count').notNullable()
    table.integer('declared_card_count').comment('Sum of the totals that sets declare; null when no set declares one')
    table.timestamp('first_seen_at', { useTz: true }).notNullable()
    table.timestamp('updated_at', { useTz: true }).notNullable()
  })
  await knex.schema.createTable('sets', table => {
    table.increments('id')
    table.text('game').notNullable()
    table.text('code').notNullable().comment('As the upstream writes it')
    table.text('code_key').notNullable().comment('Lowercase code: the key of lookups')
    table.text('name')
    table.jsonb('name_translations')
    table.text('released_on').comment('ISO 8601 date, or null')
    table.text('released_note').comment('What the upstream wrote when it is not a date')
    table.integer('declared_total')
    table.integer('card_count').notNullable().defaultTo(0)
    table.text('content_hash').notNullable().defaultTo('').index()
    table.timestamp('first_seen_at', { useTz: true }).notNullable()
    table.unique(['game', 'code_key'])
    table.index(['code_key'])
  })
  await knex.schema.createTable('cards', table => {
    table.text('sku').primary()
    table.integer('set_id').notNullable().references('id').inTable('sets').index()
    table.text('game').notNullable().index()
    table.text('set_code').notNullable()
    table.text('card_number').notNullable().comment('As printed')
    table.text('lang').notNullable()
    table.text('variant').notNullable().defaultTo('').comment('Empty for the ordinary printing')
    table.text('name')
    table.jsonb('name_translations')
    table.text('rarity')
    table.specificType('illustrators', 'text[]')
    table.jsonb('attributes').comment('Structural attributes: category, colours, cost, power, block')
    table.specificType('sources', 'text[]').notNullable().comment('Ids of the sources that observed the card, sorted')
    table.text('content_hash').notNullable().unique()
    table
      .text('document')
      .notNullable()
      .comment(
        'Canonical text of the universal document, cut where changing parts go; see surfaces/catalogue/card-document.ts'
      )
    table.text('digest').notNullable().comment('SHA-256 of `document`')
    table.timestamp('first_seen_at', { useTz: true }).notNullable()
    table.timestamp('updated_at', { useTz: true }).notNullable()
  })
  await knex.schema.createTable('observations', table => {
    table.text('source').notNullable()
    table.text('native_id').notNullable()
    table.text('sku').notNullable().index()
    table.text('digest').notNullable().comment('SHA-256 of the mapped row')
    table.jsonb('row').notNullable().comment('The mapped row: declared fields only')
    table.bigInteger('first_run').notNullable()
    table.bigInteger('last_run').notNullable()
    table.timestamp('first_seen_at', { useTz: true }).notNullable()
    table.timestamp('last_seen_at', { useTz: true }).notNullable()
    table.primary(['source', 'native_id'])
  })
  await knex.schema.createTable('quarantine', table => {
    table.bigIncrements('id')
    table.bigInteger('run').notNullable().references('id').inTable('runs').index()
    table.text('source').notNullable()
    table.text('native_id').notNullable()
    table.text('other_native_id').comment('The row that already holds the SKU')
    table.text('sku')
    table.text('reason').notNullable()
  })
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['quarantine', 'observations', 'cards', 'sets', 'games', 'runs'])
    await knex.schema.dropTableIfExists(table)
}
