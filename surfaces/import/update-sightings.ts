import type { Transaction } from 'pantry/database'

/**
 * Brings the observations of a source up to date with the rows that were `kept`, besides those that were written with this run: a sighting of a row
 * that vanished, or moves to another SKU, ends with this run; that of a row that is back begins; what is new or differs is written. Every SKU whose
 * card may have to change is noted in the temporary table `touched`.
 */
export async function updateSightings (transaction: Transaction, run: number, source: string): Promise<void> {
  await transaction.raw(`
    insert into touched
    select sku from kept where (held_digest, held_sku) is distinct from (digest, sku)
    union select held_sku from kept where held_sku <> sku
    on conflict do nothing`)
  await transaction.raw(`
    with ended as (
      insert into sightings (source, native_id, sku, from_run, until_run)
      select source, native_id, sku, from_run, ?::bigint from observations o
      where source = ? and from_run < ?::bigint and not exists (select from kept k where k.native_id = o.native_id and k.sku = o.sku)
      returning source, native_id, sku
    ), noted as (
      insert into touched select sku from ended on conflict do nothing
    ) update observations o set from_run = null from ended e where o.source = e.source and o.native_id = e.native_id`, [run, source, run])
  await transaction.raw(`
    with back as (
      update observations o set from_run = ?::bigint
      from kept k where o.source = ? and o.native_id = k.native_id and o.sku = k.sku and o.digest = k.digest and o.from_run is null
      returning o.sku
    ) insert into touched select sku from back on conflict do nothing`, [run, source])
  await transaction.raw(`
    insert into observations as o (source, native_id, sku, digest, row, statement_id, from_run)
    select ?, k.native_id, k.sku, k.digest, s.row, s.statement_id, ?::bigint from kept k join stage s using (ordinal)
    where (k.held_digest, k.held_sku) is distinct from (k.digest, k.sku)
    on conflict (source, native_id) do update
    set sku = excluded.sku, digest = excluded.digest, row = excluded.row, statement_id = excluded.statement_id, from_run = coalesce(o.from_run, excluded.from_run)`, [source, run])
}
