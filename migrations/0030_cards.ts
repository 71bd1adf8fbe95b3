import type { Knex } from 'knex'

export const replaces = [
  '0001_catalogue',
  '0003_search',
  '0004_families',
  '0005_counts',
  '0007_identify',
  '0010_names',
  '0011_card_changes',
  '0012_catalogue_state',
  '0013_set_listings'
]
export const mayReplace = ['0029_short_names']

/** The table that leads from content hashes to cards; `deriveHashes` in `surfaces/cards/writing.ts` writes its rows. */
const cardHashes = `
  create table card_hashes (
    content_hash text primary key,
    game text not null,
    sku text collate "C" not null
  )`

/**
 * A function that returns words similar to another by the extension pg_trgm; it returns none where the extension cannot
 * be created.
 */
const similarWords = `
  do $body$ begin
    create extension if not exists pg_trgm;
    create index name_words_likeness_index on name_words using gin (word gin_trgm_ops);
    create function similar_words(asked text) returns setof text language sql stable as $$
        select word from name_words where word % asked order by similarity(word, asked) desc, word limit 20 $$;
  exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    create function similar_words(asked text) returns setof text language sql stable as $$ select null::text where false $$;
  end $body$`

/** Comments that `up` and `adopt` write: they differ from those of the replaced migrations. */
const comments = {
  document: 'The universal document in the short form of surfaces/cards/card-row.ts, which wholeText there expands',
  digest: 'SHA-256 of the form of documents and `document`'
}

/**
 * Games, sets and cards as they are published, and what lookups need. No column is for a price, an image, a shop
 * identifier or a link: what may not be published is not stored. The keys of `cards`, `card_names` and `set_listings`
 * contain the game, so that the tables can be partitioned by it; `card_hashes` is unique over all games.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('games', table => {
    table.text('token').primary()
    table.text('content_hash').notNullable().index()
    table.integer('set_count').notNullable()
    table.integer('card_count').notNullable()
    table.integer('declared_card_count').comment('Sum of the totals that sets declare; null when no set declares one')
    table.timestamp('first_seen_at').notNullable()
    table.timestamp('updated_at').notNullable()
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
    table.timestamp('first_seen_at').notNullable()
    table.integer('number_count').notNullable().defaultTo(0).comment('Cards told apart by number only')
    table.unique(['game', 'code_key'])
    table.index(['code_key'])
    table.index(['game', 'declared_total'], 'sets_declared_total_index')
  })
  // JSON that is written often and read whole has the type `json`, not `jsonb`, and `set_id` has no foreign key: both
  // would take a fifth of an import. SKUs are in byte order, so that the printings of one number are neighbours.
  await knex.schema.createTable('cards', table => {
    table.specificType('sku', 'text collate "C"').notNullable()
    table.integer('set_id').notNullable().index()
    table.text('game').notNullable().index()
    table.text('set_code').notNullable()
    table.text('card_number').notNullable().comment('As printed')
    table.text('lang').notNullable()
    table.text('variant').notNullable().defaultTo('').comment('Empty for the ordinary printing')
    table.text('name')
    table.json('name_translations')
    table.text('rarity')
    table.specificType('illustrators', 'text[]')
    table.json('attributes').comment('Structural attributes: category, colours, cost, power, block')
    table.specificType('sources', 'text[]').notNullable().comment('Ids of the sources that observed the card, sorted')
    table.text('content_hash').notNullable()
    table.text('document').notNullable().comment(comments.document)
    table.text('digest').notNullable().comment(comments.digest)
    table.timestamp('first_seen_at').notNullable().defaultTo(knex.raw('now()'))
    table.timestamp('updated_at').notNullable().defaultTo(knex.raw('now()'))
    // The keys by which cards are searched; the SKU after the key makes an index return a bounded list in order.
    for (const name of ['place_key', 'number_key', 'printed_key']) {
      table.specificType(name, 'text collate "C"').notNullable()
      table.index([name, 'sku'], `cards_${name}_index`)
    }
    table.primary(['sku', 'game'])
  })
  await knex.raw(cardHashes)
  // The changes of cards, without values of facts.
  await knex.schema.createTable('card_changes', table => {
    table.bigIncrements('id')
    table.specificType('sku', 'text collate "C"').notNullable().index()
    table.text('kind').notNullable().checkIn(['changed', 'rewritten', 'withdrawn'])
    table.bigInteger('run').comment('The import; null where the service writes the same facts otherwise')
    table.text('source').index().comment('Whose import it was')
    table.timestamp('changed_at').notNullable()
    table.specificType('fields', 'text[]').notNullable().comment('Names of the fields that differ')
    table.text('former_hash').comment('The content hash before, where it differs')
  })
  await knex.raw(
    'create index card_changes_former_hash_index on card_changes using hash (former_hash) where former_hash is not null'
  )
  await knex.schema.createTable('artists', table => {
    table.text('game').notNullable()
    table.text('name').notNullable().comment('As the upstream writes it')
    table.text('name_key').notNullable().index().comment('Lowercase name: the key of lookups')
    table.integer('works').notNullable().comment('Cards that credit the name')
    table.specificType('first_works', 'text[]').notNullable().comment('SKUs of the first of them, in byte order')
    table.primary(['game', 'name'])
  })
  // The lists of the cards of sets: a start of the service writes those that are missing, an import those that change.
  // They are stored uncompressed, because to compress a list takes longer than to write it.
  await knex.schema.createTable('set_listings', table => {
    table.integer('set_id').notNullable().references('sets.id').onDelete('CASCADE')
    table.text('items').notNullable().comment('Canonical JSON')
    table.integer('cards').notNullable().comment('How many it lists')
    table.text('digest').notNullable().comment('SHA-256 of the items')
    table.text('game').notNullable()
    table.primary(['set_id', 'game'])
  })
  await knex.raw('alter table set_listings alter column items set storage external')
  // `surfaces/cards/search/derive-names.ts` fills the tables of names, also at a start that finds them empty.
  await knex.raw(`
    create table card_names (
      id integer generated always as identity,
      game text not null,
      name text collate "C" not null,
      skus text[] not null,
      primary key (id, game),
      unique (game, name)
    )`)
  await knex.raw(
    "comment on column card_names.skus is 'Printings with the name, in any language of theirs: English ones first, then by SKU'"
  )
  await knex.raw(`
    create table name_starts (
      game text collate "C" not null,
      is_inner boolean not null,
      start text collate "C" not null,
      name_id integer not null,
      primary key (game, is_inner, start, name_id)
    )`)
  await knex.raw(
    "comment on column name_starts.start is 'The folded name from a word on; is_inner: not from the first'"
  )
  // The words of the names of all games; two words that differ by one mistake share a mark.
  await knex.raw('create table name_words (word text collate "C" primary key, marks integer[] not null)')
  await knex.raw('create index name_words_marks_index on name_words using gin (marks) with (fastupdate = off)')
  await knex.raw(similarWords)
  // Imports (also those that change nothing), deletions of sources and rewrites of documents write another version,
  // each in its own transaction.
  await knex.schema.createTable('catalogue_state', table => {
    table.text('name').primary().checkIn(['catalogue'])
    table.uuid('version').notNullable()
  })
}

/**
 * Adapts the tables of the replaced migrations. The index of names is emptied, because since 0029 it has names of one
 * character too; the next start fills it again.
 */
export async function adopt(knex: Knex): Promise<void> {
  await knex.raw('alter table cards drop constraint cards_pkey, add primary key (sku, game)')
  await knex.raw('drop index if exists cards_content_hash_index')
  for (const [column, comment] of Object.entries(comments))
    await knex.raw(`comment on column cards.${column} is '${comment}'`)
  if (!(await knex.schema.hasTable('card_hashes'))) await knex.raw(cardHashes)
  await knex.raw('insert into card_hashes (content_hash, game, sku) select content_hash, game, sku from cards')
  await knex.raw('truncate card_names, name_starts, name_words')
  await knex.raw('alter table card_names drop constraint card_names_pkey, add primary key (id, game)')
  await knex.raw('alter table set_listings add column if not exists game text')
  await knex.raw('update set_listings l set game = s.game from sets s where s.id = l.set_id')
  await knex.raw('alter table set_listings drop constraint if exists set_listings_pkey, add primary key (set_id, game)')
}

/** Lets `set_listings` accept the rows of older backups, which have no game. */
export async function loosen(knex: Knex): Promise<void> {
  await knex.raw('alter table set_listings drop constraint set_listings_pkey, alter column game drop not null')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function similar_words(text)')
  for (const table of [
    'catalogue_state',
    'name_words',
    'name_starts',
    'card_names',
    'set_listings',
    'artists',
    'card_changes',
    'card_hashes',
    'cards',
    'sets',
    'games'
  ])
    await knex.schema.dropTable(table)
}
