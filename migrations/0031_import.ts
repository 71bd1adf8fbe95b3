import type { Knex } from 'knex'

export const replaces = ['0002_sightings', '0008_statement_ids', '0009_withdrawals']

/** Comments that `up` and `adopt` write: they differ from those of the replaced migrations. */
const comments = {
  'runs.snapshot': 'SHA-256 over the files and all else that determines what is imported, lowercase hex',
  'quarantine.other_native_id': 'The row that was kept, with the same id or SKU'
}

/**
 * The runs of imports, and the observations from which cards are derived. An observation is what a row of a source says
 * now; when it ends, it becomes a row of `sightings`. A card that no source observes is withdrawn, and `withdrawals`
 * says when and why. The game is in the key of `observations`, so that the table can be partitioned like `cards`;
 * imports keep native ids unique in a source.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('runs', table => {
    table.bigIncrements('id')
    table.text('source').notNullable().index()
    table.text('status').notNullable().checkIn(['running', 'succeeded', 'failed'])
    table.timestamp('started_at').notNullable()
    table.timestamp('finished_at')
    table.text('snapshot').comment(comments['runs.snapshot'])
    table.integer('rows_read').notNullable().defaultTo(0)
    table.integer('rows_written').notNullable().defaultTo(0)
    table.integer('rows_unchanged').notNullable().defaultTo(0)
    table.integer('rows_quarantined').notNullable().defaultTo(0)
    table
      .boolean('conditions_met')
      .comment("The operator's word that what the upstream asks for is done; null when nothing was open")
    table.integer('duration_ms')
    table
      .text('document_form')
      .comment('Names the form of the documents it stored; a run that finds another form makes them again')
    table.smallint('precedence').comment('Sources with a lower number speak first of a card')
  })
  await knex.schema.createTable('observations', table => {
    table.text('source').notNullable()
    table.text('native_id').notNullable()
    table.specificType('sku', 'text collate "C"').notNullable().index()
    table.text('digest').notNullable().comment('SHA-256 of the mapped row')
    table.json('row').notNullable().comment('The mapped row: declared fields only')
    table
      .bigInteger('from_run')
      .comment(
        'The run since which every succeeded run of the source sees the row under this SKU; null when the last one did not'
      )
    table.integer('statement_id').notNullable().comment('Id of what the row says of its set')
    table.text('game').notNullable()
    table.primary(['source', 'native_id', 'game'])
  })
  await knex.schema.createTable('sightings', table => {
    table.text('source').notNullable()
    table.text('native_id').notNullable()
    table.specificType('sku', 'text collate "C"').notNullable().index().comment('Of the row during this sighting')
    table.bigInteger('from_run').notNullable().comment('The first succeeded run of the source that saw the row')
    table.bigInteger('until_run').notNullable().comment('The first succeeded run of the source after it that did not')
    table.primary(['source', 'native_id', 'from_run'])
  })
  await knex.schema.createTable('set_statements', table => {
    table.increments('id')
    table.text('digest').notNullable().unique().comment('SHA-256 of the statement as it was written')
    table
      .jsonb('statement')
      .notNullable()
      .comment('Name, translated names, release date, declared total: as one source says')
  })
  await knex.schema.createTable('declared_sets', table => {
    table.text('source').notNullable()
    table.text('game').notNullable()
    table.text('code').notNullable().comment('As the upstream writes it')
    table.text('code_key').notNullable().comment('Lowercase code: the key of lookups')
    table.text('name')
    table.text('released_on').comment('ISO 8601 date, or null')
    table.integer('declared_total')
    table.primary(['source', 'game', 'code_key'])
    table.index(['game', 'code_key'])
  })
  await knex.schema.createTable('disagreements', table => {
    table.specificType('sku', 'text collate "C"').notNullable()
    table.text('field').notNullable().comment('Name of the field; of attributes and names its path, joined by points')
    table
      .jsonb('statements')
      .notNullable()
      .comment('One {source, value} for each source that states the field, by source')
    table.primary(['sku', 'field'])
  })
  await knex.schema.createTable('quarantine', table => {
    table.bigIncrements('id')
    table.bigInteger('run').notNullable().references('runs.id').index()
    table.text('source').notNullable()
    table.text('native_id').notNullable()
    table.text('other_native_id').comment(comments['quarantine.other_native_id'])
    table.specificType('sku', 'text collate "C"')
    table.text('reason').notNullable()
  })
  await knex.schema.createTable('withdrawals', table => {
    table.specificType('sku', 'text collate "C"').primary()
    table.text('source').notNullable().comment('The last that observed the card')
    table.timestamp('withdrawn_at').notNullable()
    table.text('reason').notNullable().checkIn(['gone', 'moved', 'refused'])
    table
      .specificType('successor', 'text collate "C"')
      .comment('The SKU that the same row of the source has since; null when it has none')
  })
}

/** Fills the column `game` of `observations` from the SKU, which starts with it. */
export async function adopt(knex: Knex): Promise<void> {
  for (const [column, comment] of Object.entries(comments))
    await knex.raw(`comment on column ${column} is '${comment}'`)
  await knex.raw('alter table observations add column if not exists game text')
  await knex.raw("update observations set game = split_part(sku, '-', 1)")
  await knex.raw(
    'alter table observations drop constraint if exists observations_pkey, add primary key (source, native_id, game)'
  )
}

/** Lets `observations` accept the rows of older backups, which have no game. */
export async function loosen(knex: Knex): Promise<void> {
  await knex.raw('alter table observations drop constraint observations_pkey, alter column game drop not null')
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'withdrawals',
    'quarantine',
    'disagreements',
    'declared_sets',
    'set_statements',
    'sightings',
    'observations',
    'runs'
  ])
    await knex.schema.dropTable(table)
}
