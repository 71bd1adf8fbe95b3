import type { Transaction } from 'pantry/database'
import { cardFieldNames, cardFields } from './card-fields.ts'

/**
 * The import that changes cards: its source and run. Null when a source is forgotten; those changes are not recorded.
 */
export type Cause = Readonly<{ source: string; run: number }> | null

/** Returns SQL for the names of the members of a JSON column that differ between the cards `c` and `d`. */
const members = (name: string): string => `
  array(select '${name}.' || m from jsonb_object_keys(coalesce(c.${name}::jsonb, '{}') || coalesce(d.${name}::jsonb, '{}')) m
    where c.${name}::jsonb -> m is distinct from d.${name}::jsonb -> m order by m collate "C")`

const plainNames = cardFieldNames.filter(name => cardFields[name].type !== 'members')
const differing = [
  `array_remove(array[${plainNames.map(name => `case when c.${name} is distinct from d.${name} then '${name}' end`).join(', ')}], null)`,
  ...cardFieldNames.filter(name => cardFields[name].type === 'members').map(members)
].join(' || ')

/**
 * Records which fields of the cards in the temporary table `derived` differ from the stored cards. Must be called
 * before they are written. Values are not recorded.
 */
export async function recordChanges(transaction: Transaction, cause: Cause): Promise<void> {
  if (cause === null) return
  await transaction.raw(
    `
    insert into card_changes (sku, kind, run, source, changed_at, fields, former_hash)
    select sku, 'changed', ?::bigint, ?, now(), fields, former_hash from (
      select c.sku, ${differing} as fields, nullif(c.content_hash, d.content_hash) as former_hash
      from derived d join cards c on c.sku = d.sku
      where (c.digest, c.name_translations::jsonb) is distinct from (d.digest, d.name_translations::jsonb)
    ) changes where fields <> '{}'
    order by sku`,
    [cause.run, cause.source]
  )
}

/** Deletes the `touched` cards that no source observes any more, and records them as withdrawn. */
export async function removeUnobserved(transaction: Transaction, cause: Cause): Promise<void> {
  await transaction.raw(
    `
    with gone as (
      delete from cards c using touched t where c.sku = t.sku and not exists (select from observations o where o.sku = t.sku)
      returning c.sku, c.content_hash
    ) insert into card_changes (sku, kind, run, source, changed_at, fields, former_hash)
    select sku, 'withdrawn', ?::bigint, ?, now(), '{}', content_hash from gone where ? order by sku`,
    [cause?.run ?? null, cause?.source ?? null, cause !== null]
  )
}

/** Records the former hashes of cards whose documents the service now writes in another form, with the same facts. */
export async function recordRewritten(transaction: Transaction, skus: string[], hashes: string[]): Promise<void> {
  await transaction.raw(
    `
    insert into card_changes (sku, kind, changed_at, fields, former_hash)
    select c.sku, 'rewritten', now(), '{}', c.content_hash
    from unnest(?::text[], ?::text[]) as n(sku, content_hash) join cards c on c.sku = n.sku and c.content_hash <> n.content_hash
    order by c.sku`,
    [skus, hashes]
  )
}
