// @ts-check

/** @param {import('pantry/database').Knex} knex */
export async function up(knex) {
  await knex.raw(`
    create table incidents (
      id integer generated always as identity primary key,
      title text not null,
      severity text not null check (severity in ('minor', 'major')),
      opened_at timestamptz not null default now(),
      closed_at timestamptz,
      remedy text,
      is_open boolean not null generated always as (closed_at is null) stored
    );
    create index on incidents (opened_at);
    create index on incidents (severity);
    create index on incidents (is_open)`)
  // Invented, as the city is.
  await knex('incidents').insert([
    {
      title: 'The lift of the library stops between floors',
      severity: 'minor',
      opened_at: '2026-11-20T08:15:00Z',
      closed_at: '2026-11-20T11:00:00Z',
      remedy: 'The door switch was replaced.'
    },
    { title: 'Tram 3 ends at the market', severity: 'major', opened_at: '2026-11-26T05:40:00Z' },
    { title: 'No water in the harbour quarter', severity: 'major', opened_at: '2026-11-27T19:05:00Z' }
  ])
}

/** @param {import('pantry/database').Knex} knex */
export async function down(knex) {
  await knex.schema.dropTable('incidents')
}
