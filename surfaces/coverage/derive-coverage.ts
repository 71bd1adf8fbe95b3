/** The tables of the coverage: how imports write them, and how they are read. */
import type { Projection } from '../catalogue/projection.ts'

/**
 * SQL that expands the `sightings` of a pattern. Aggregating records per card is many times faster than aggregating
 * JSON.
 */
const sighting = 'unnest(sightings) as s(source text, from_run bigint, until_run bigint)'

/**
 * SQL that selects the cards of some games: existing ones, and those withdrawn because their sources no longer list
 * them. Former SKUs of rows that were remapped are not counted.
 */
const observed = `
  select sku, game, set_id from cards where game = any(?)
  union all select * from (select sku, split_part(sku, '-', 1) as game, null::int from withdrawals where reason = 'gone') w where game = any(?)`

/**
 * Recomputes the tables from which coverage is read, for these games. Called within an import, after sightings, cards
 * and sets are written.
 */
export const deriveCoverage: Projection = async (transaction, games) => {
  await transaction.raw('delete from coverage_patterns where game = any(?)', [[...games]])
  await transaction.raw('delete from unseen_sets where set_id in (select id from sets where game = any(?))', [
    [...games]
  ])
  await transaction.raw(
    `
    with seen as (
      select c.game, c.set_id, array_agg(row(s.source, s.from_run, s.until_run) order by s.source collate "C", s.from_run) as sightings
      from (${observed}) c join (
        select sku, source, from_run, until_run from sightings
        union all select sku, source, from_run, null from observations where from_run is not null
      ) s using (sku) group by c.sku, c.game, c.set_id
    ), patterns as materialized (
      select game, set_id, sightings, count(*) as cards from seen group by game, set_id, sightings
    ), unseen as (
      insert into unseen_sets (set_id, source, until_run)
      select set_id, source, max(until_run) from patterns, ${sighting} where set_id is not null group by set_id, source having bool_and(until_run is not null)
    ) insert into coverage_patterns (game, sightings, cards)
    select game, (select jsonb_agg(jsonb_build_array(source, from_run, until_run) order by source collate "C", from_run) from ${sighting}), sum(cards)
    from patterns group by game, sightings`,
    [[...games], [...games]]
  )
}
