import type { Knex } from 'knex'

/**
 * Names as they are searched: `surfaces/cards/search/derive-names.ts` fills the tables, and fills them again where they
 * are empty at a start. What cards are named is found by the beginning of a name or of a word in it. Words with a
 * mistake are found by marks that words with one mistake share (`name_words`), on every server, and by likeness where
 * the server has the extension `pg_trgm` and lets us make it (`similar_words`); where not, nothing is like anything.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table card_names (
      id integer generated always as identity primary key,
      game text not null,
      name text collate "C" not null,
      skus text[] not null,
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
  await knex.raw('create table name_words (word text collate "C" primary key, marks integer[] not null)')
  await knex.raw('create index name_words_marks_index on name_words using gin (marks) with (fastupdate = off)')
  await knex.raw(`
    do $body$ begin
      create extension if not exists pg_trgm;
      create index name_words_likeness_index on name_words using gin (word gin_trgm_ops);
      create function similar_words(asked text) returns setof text language sql stable as $$
        select word from name_words where word % asked order by similarity(word, asked) desc, word limit 20 $$;
    exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
      create function similar_words(asked text) returns setof text language sql stable as $$ select null::text where false $$;
    end $body$`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function if exists similar_words(text)')
  for (const table of ['name_words', 'name_starts', 'card_names']) await knex.schema.dropTableIfExists(table)
}
