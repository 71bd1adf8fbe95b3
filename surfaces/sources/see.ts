import type { Transaction } from '../database/copy.ts'

/**
 * Brings the sightings of a source up to date with the rows that were `kept`, besides those that began with this run: those of rows that vanished,
 * or moved to another SKU, end with this run; those of new rows begin. Every SKU whose card may have to change is noted in the temporary table
 * `touched`.
 */
export async function see (transaction: Transaction, run: number, source: string): Promise<void> {
  await transaction.raw(`
    insert into touched
    select sku from kept where (held_digest, held_sku) is distinct from (digest, sku)
    union select held_sku from kept where held_sku <> sku
    on conflict do nothing`)
  await transaction.raw(`
    with ended as (
      update sightings s set until_run = ?::bigint
      where source = ? and until_run is null and from_run < ?::bigint and not exists (select from kept k where k.native_id = s.native_id and k.sku = s.sku)
      returning sku
    ) insert into touched select sku from ended on conflict do nothing`, [run, source, run])
  await transaction.raw(`
    with begun as (
      insert into sightings (source, native_id, sku, from_run)
      select ?, native_id, sku, ?::bigint from kept k
      where not exists (select from sightings s where s.source = ? and s.native_id = k.native_id and s.until_run is null)
      returning sku
    ) insert into touched select sku from begun on conflict do nothing`, [source, run, source])
}
