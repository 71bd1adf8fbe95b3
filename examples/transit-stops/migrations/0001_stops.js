// @ts-check
import { readFileSync } from 'node:fs'

/**
 * The rows of a file of data/, whose cells have neither quotes nor commas. A larger file is loaded with `pantry load`.
 *
 * @param {string} name
 */
function rowsOf(name) {
  const text = readFileSync(new URL(`../data/${name}.csv`, import.meta.url), 'utf8')
  const [head = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map(line => line.split(','))
  return rows.map(cells => Object.fromEntries(head.map((column, at) => [column, cells[at] || null])))
}

/** @param {import('pantry/database').Knex} knex */
export async function up(knex) {
  await knex.raw(`
    create table stops (
      stop_id text primary key,
      stop_name text not null,
      stop_lat double precision not null,
      stop_lon double precision not null,
      location_type integer not null,
      parent_station text references stops,
      words tsvector generated always as (to_tsvector('simple', stop_name)) stored
    );
    create index on stops (stop_name);
    create index on stops (stop_lat);
    create index on stops (stop_lon);
    create index on stops (location_type);
    create index on stops (parent_station);
    create index on stops using gin (words);
    create table routes (
      route_id text primary key,
      agency_id integer not null,
      route_short_name text not null unique,
      route_type integer not null
    );
    create table route_stops (
      id integer generated always as identity primary key,
      route_id text not null references routes,
      stop_sequence integer not null,
      stop_id text not null references stops,
      unique (route_id, stop_sequence)
    );
    create index on route_stops (stop_id)`)
  for (const name of ['stops', 'routes', 'route_stops']) await knex.batchInsert(name, rowsOf(name), 500)
}

/** @param {import('pantry/database').Knex} knex */
export async function down(knex) {
  await knex.raw('drop table route_stops, routes, stops')
}
