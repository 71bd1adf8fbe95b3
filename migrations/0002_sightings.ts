import type { Knex } from 'knex'

/**
 * Seeing a row once more writes nothing: an observation keeps the run it is seen since, and a sighting that ended moves
 * to `sightings`. What a source declares of its sets, and where sources disagree, get places of their own.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('sightings', table => {
    table.text('source').notNullable()
    table.text('native_id').notNullable()
    table.text('sku').notNullable().comment('Of the row during this sighting')
    table.bigInteger('from_run').notNullable().comment('The first succeeded run of the source that saw the row')
    table.bigInteger('until_run').notNullable().comment('The first succeeded run of the source after it that did not')
    table.primary(['source', 'native_id', 'from_run'])
  })
  await knex.schema.alterTable('observations', table => {
    table
      .bigInteger('from_run')
      .comment(
        'The run since which every succeeded run of the source sees the row under this SKU; null when the last one did not'
      )
  })
  await knex.raw(`
    insert into sightings (source, native_id, sku, from_run, until_run)
    select source, native_id, sku, first_run, until_run from (
      select o.*, (select min(r.id) from runs r where r.source = o.source and r.status = 'succeeded' and r.id > o.last_run) as until_run from observations o
    ) o where until_run is not null`)
  await knex.raw(`
    update observations o set from_run = first_run
    where not exists (select from sightings s where s.source = o.source and s.native_id = o.native_id)`)
  await knex.schema.alterTable('observations', table => {
    table.dropColumns('first_run', 'last_run', 'first_seen_at', 'last_seen_at')
    table.integer('said').comment('Id of what the row says of its set')
  })
  await knex.schema.createTable('set_statements', table => {
    table.increments('id')
    table.text('digest').notNullable().unique().comment('SHA-256 of the statement as it was written')
    table
      .jsonb('statement')
      .notNullable()
      .comment('Name, translated names, release date, declared total: as one source says')
  })
  await knex.raw(
    "insert into set_statements (digest, statement) select distinct encode(sha256(convert_to((row -> 'set')::text, 'UTF8')), 'hex'), row -> 'set' from observations"
  )
  await knex.raw(
    "update observations set said = s.id, row = row - 'set' from set_statements s where s.digest = encode(sha256(convert_to((row -> 'set')::text, 'UTF8')), 'hex')"
  )
  await knex.raw('alter table observations alter column said set not null')
  // Written often and read whole: parsing them into another form, and looking up the set of each card again, would take
  // a fifth of an import.
  await knex.raw('alter table observations alter column row type json')
  await knex.raw(
    'alter table cards alter column name_translations type json, alter column attributes type json, drop constraint cards_set_id_foreign'
  )
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
    table.text('sku').notNullable()
    table.text('field').notNullable().comment('Name of the field; of attributes and names its path, joined by points')
    table
      .jsonb('statements')
      .notNullable()
      .comment('One {source, value} for each source that states the field, by source')
    table.primary(['sku', 'field'])
  })
  await knex.schema.alterTable('runs', table => {
    table
      .boolean('conditions_met')
      .comment("The operator's word that what the upstream asks for is done; null when nothing was open")
    table.integer('duration_ms')
    table
      .text('document_form')
      .comment('Names the form of the documents it stored; a run that finds another form makes them again')
  })
  await knex.raw(
    'alter table cards alter column first_seen_at set default now(), alter column updated_at set default now()'
  )
}

/** What the older form cannot hold is lost: gaps between sightings, and sightings of a row under another SKU. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table cards add constraint cards_set_id_foreign foreign key (set_id) references sets (id), alter column name_translations type jsonb, alter column attributes type jsonb'
  )
  await knex.raw('alter table observations alter column row type jsonb')
  await knex.raw('alter table cards alter column first_seen_at drop default, alter column updated_at drop default')
  await knex.schema.alterTable('runs', table => {
    table.dropColumns('conditions_met', 'duration_ms', 'document_form')
  })
  for (const table of ['disagreements', 'declared_sets']) await knex.schema.dropTableIfExists(table)
  await knex.raw(`
    alter table observations add column first_run bigint, add column last_run bigint, add column first_seen_at timestamptz, add column last_seen_at timestamptz`)
  await knex.raw(`
    update observations o set row = o.row || jsonb_build_object('set', w.statement), first_run = s.first_run, last_run = l.id,
      first_seen_at = f.started_at, last_seen_at = l.started_at
    from (
        select source, native_id, min(from_run) as first_run, case when bool_or(until_run is null) then null else max(until_run) end as until_run from (
          select source, native_id, from_run, until_run from sightings
          union all select source, native_id, from_run, null from observations where from_run is not null
        ) all_sightings group by 1, 2
      ) s,
      runs f, set_statements w, lateral (
        select id, started_at from runs r where r.source = s.source and r.status = 'succeeded' and (s.until_run is null or r.id < s.until_run) order by id desc limit 1
      ) l
    where s.source = o.source and s.native_id = o.native_id and f.id = s.first_run and w.id = o.said`)
  for (const column of ['first_run', 'last_run', 'first_seen_at', 'last_seen_at'])
    await knex.raw('alter table observations alter column ?? set not null', [column])
  await knex.schema.alterTable('observations', table => {
    table.dropColumns('said', 'from_run')
  })
  for (const table of ['set_statements', 'sightings']) await knex.schema.dropTableIfExists(table)
}
