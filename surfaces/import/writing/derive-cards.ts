import { copyInto, type Transaction } from 'pantry/database'
import { recordChanges, removeUnobserved, type Cause } from '../../catalogue/record-changes.ts'
import { writtenColumns, writtenValues } from '../../catalogue/card-row.ts'
import { disagreementsOf, type SourceStatement } from './disagreements.ts'
import { mergeCard } from './merge-observations.ts'
import { ranked } from './precedence.ts'

const batchSize = 1000
/** All statements on one card, in order of precedence. */
type Row = Readonly<{ sku: string; stated: readonly SourceStatement[] }>

async function deriveBatch(transaction: Transaction, rows: readonly Row[]): Promise<void> {
  await copyInto(
    transaction,
    'derived',
    [...writtenColumns, 'code_key'],
    rows.map(({ sku, stated }) => {
      const card = mergeCard(
        sku,
        stated.map(({ row }) => row),
        [...new Set(stated.map(({ source }) => source))]
      )
      return [...writtenValues(card), card.set_code.toLowerCase()]
    })
  )
  const differing = rows.flatMap(({ sku, stated }) =>
    disagreementsOf(stated).map(({ field, statements }) => [sku, field, JSON.stringify(statements)])
  )
  if (differing.length > 0) await copyInto(transaction, 'disagreements', ['sku', 'field', 'statements'], differing)
}

/**
 * Derives the cards of all `touched` SKUs from the observations and writes those that differ, with the disagreements
 * between sources. Adds the sets that had or have one of the cards to `touched_sets`, and creates the temporary table
 * `changed` with the SKUs that were written.
 */
export async function deriveCards(
  transaction: Transaction,
  cause: Cause,
  report: (fraction: number) => void
): Promise<void> {
  await transaction.raw('create temp table changed (sku text) on commit drop')
  const {
    rows: [total]
  } = await transaction.raw<{ rows: { count: number }[] }>('select count(*)::int as count from touched')
  if (total === undefined || total.count === 0) return
  await transaction.raw('analyze touched')
  await transaction.raw(
    'insert into touched_sets select distinct set_id from cards join touched using (sku) on conflict do nothing'
  )
  await transaction.raw('delete from disagreements d using touched t where d.sku = t.sku')
  await transaction.raw(
    `create temp table derived on commit drop as select ${writtenColumns.join(', ')}, ''::text as code_key from cards where false`
  )
  await transaction.raw(`
    declare statements no scroll cursor for
    select o.sku, jsonb_agg(jsonb_build_object('source', o.source, 'row', o.row) order by p.place, o.native_id collate "C") as stated
    from touched t join observations o using (sku) ${ranked}
    group by o.sku`)
  for (let done = 0, size = batchSize; size === batchSize;) {
    const { rows } = await transaction.raw<{ rows: Row[] }>(`fetch ${batchSize} from statements`)
    size = rows.length
    done += size
    if (size > 0) await deriveBatch(transaction, rows)
    report(done / total.count)
  }
  await transaction.raw('analyze derived (sku, game, code_key)')
  await transaction.raw(`
    insert into sets (game, code, code_key, first_seen_at)
    select distinct on (game, code_key) game, set_code, code_key, now() from derived order by game, code_key, set_code collate "C"
    on conflict do nothing`)
  await recordChanges(transaction, cause)
  // The document holds every fact except translated names, so comparing its digest and the names finds changed cards.
  await transaction.raw(`
    with written as (
      insert into cards (${writtenColumns.join(', ')}, set_id)
      select ${writtenColumns.map(column => `d.${column}`).join(', ')}, s.id
      from derived d join sets s on s.game = d.game and s.code_key = d.code_key left join cards c on c.sku = d.sku
      where c.sku is null or (c.digest, c.set_id, c.name_translations::jsonb) is distinct from (d.digest, s.id, d.name_translations::jsonb)
      on conflict (sku) do update set ${[...writtenColumns.slice(1), 'set_id', 'updated_at'].map(column => `${column} = excluded.${column}`).join(', ')}
      returning sku
    ) insert into changed select sku from written`)
  await removeUnobserved(transaction, cause)
  await transaction.raw(`
    insert into touched_sets select distinct s.id from derived d join sets s on s.game = d.game and s.code_key = d.code_key
    on conflict do nothing`)
}
