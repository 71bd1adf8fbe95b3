import type { Transaction } from 'pantry/database'

/**
 * Updates the observations of a source from the `kept` rows, except those already written by this run. A row that
 * vanished, is refused or moved to another SKU ends: its observation becomes a sighting that ends with this run. New
 * and changed rows are written. Every SKU whose card may change is added to the temporary table `touched`.
 */
export async function updateSightings(transaction: Transaction, run: number, source: string): Promise<void> {
  await transaction.raw(`
    insert into touched
    select sku from kept where (held_digest, held_sku) is distinct from (digest, sku)
    on conflict do nothing`)
  // Versions before 0.2.0 kept observations that had ended, without a run.
  await transaction.raw(
    `
    with ended as (
      delete from observations o
      where source = ? and from_run is distinct from ?::bigint and not exists (select from kept k where k.native_id = o.native_id and k.sku = o.sku)
      returning source, native_id, sku, from_run
    ), noted as (
      insert into touched select sku from ended on conflict do nothing
    ) insert into sightings (source, native_id, sku, from_run, until_run) select source, native_id, sku, from_run, ?::bigint from ended where from_run is not null`,
    [source, run, run]
  )
  await transaction.raw(
    `
    insert into observations as o (source, native_id, sku, digest, row, statement_id, from_run)
    select ?, k.native_id, k.sku, k.digest, s.row, s.statement_id, ?::bigint from kept k join stage s using (ordinal)
    where (k.held_digest, k.held_sku) is distinct from (k.digest, k.sku)
    on conflict (source, native_id) do update
    set digest = excluded.digest, row = excluded.row, statement_id = excluded.statement_id`,
    [source, run]
  )
}
