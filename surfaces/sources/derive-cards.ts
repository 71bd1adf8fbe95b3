import type { JsonObject } from '../../core/canonical/json.ts'
import { cardDocument } from '../catalogue/card-document.ts'
import { copyInto, type CopyValue, type Transaction } from '../database/copy.ts'
import { mergeCard, type CardStatement } from './merge-observations.ts'
import { latestRuns, precedence } from './precedence.ts'

const batchSize = 2000
const columns = [
  'sku', 'game', 'set_code', 'card_number', 'lang', 'variant', 'name', 'name_translations', 'rarity', 'illustrators', 'attributes', 'sources',
  'content_hash', 'document', 'digest'
] as const
type Row = Readonly<{ sku: string, sources: readonly string[], statements: readonly CardStatement[] }>

const json = (value: JsonObject | null): string | null => value === null ? null : JSON.stringify(value)

function columnsOf ({ sku, sources, statements }: Row): CopyValue[] {
  const card = mergeCard(sku, statements, sources)
  const { contentHash, document, digest } = cardDocument(card)
  return [
    sku, card.game, card.set_code, card.card_number, card.lang, card.variant, card.name, json(card.name_translations), card.rarity, card.illustrators,
    json(card.attributes), card.sources, contentHash, document, digest, card.set_code.toLowerCase()
  ]
}

/**
 * Makes the cards of all `touched` SKUs anew from the observations and writes those that differ. Leaves the temporary tables `changed`
 * (SKUs that were written) and `touched_sets` (sets that had or have one of the cards).
 */
export async function deriveCards (transaction: Transaction, run: number, report: (fraction: number) => void): Promise<void> {
  await transaction.raw('create temp table touched_sets on commit drop as select distinct set_id as id from cards join touched using (sku)')
  await transaction.raw(`
    create temp table derived on commit drop as
    select ${columns.join(', ')}, ''::text as code_key from cards where false`)
  await transaction.raw(`
    declare statements no scroll cursor for
    select o.sku, array_agg(distinct o.source) as sources, jsonb_agg(o.row - 'set' order by ${precedence}) as statements
    from touched t join observations o using (sku) join (${latestRuns}) l using (source)
    group by o.sku`, [run])
  const { rows: [total] } = await transaction.raw<{ rows: { count: number }[] }>('select count(*)::int as count from touched')
  for (let done = 0, size = batchSize; size === batchSize;) {
    const { rows } = await transaction.raw<{ rows: Row[] }>(`fetch ${batchSize} from statements`)
    size = rows.length
    done += size
    if (size > 0) await copyInto(transaction, 'derived', [...columns, 'code_key'], rows.map(columnsOf))
    report(done / Math.max(total?.count ?? 0, 1))
  }
  await transaction.raw('analyze derived (sku, game, code_key)')
  await transaction.raw(`
    insert into sets (game, code, code_key, first_seen_at)
    select distinct on (game, code_key) game, set_code, code_key, now() from derived order by game, code_key, set_code collate "C"
    on conflict do nothing`)
  await transaction.raw('create temp table changed (sku text) on commit drop')
  // The document holds every fact but the translated names, so its digest and those say whether a card differs.
  await transaction.raw(`
    with written as (
      insert into cards (${columns.join(', ')}, set_id, first_seen_at, updated_at)
      select ${columns.map(column => `d.${column}`).join(', ')}, s.id, now(), now()
      from derived d join sets s on s.game = d.game and s.code_key = d.code_key left join cards c on c.sku = d.sku
      where c.sku is null or (c.digest, c.set_id, c.name_translations) is distinct from (d.digest, s.id, d.name_translations)
      on conflict (sku) do update set ${[...columns.slice(1), 'set_id', 'updated_at'].map(column => `${column} = excluded.${column}`).join(', ')}
      returning sku
    ) insert into changed select sku from written`)
  // A card that nobody observes any more (its upstream gave it another identity) is not held.
  await transaction.raw('delete from cards c using touched t where c.sku = t.sku and not exists (select from observations o where o.sku = t.sku)')
  await transaction.raw(`
    insert into touched_sets
    select distinct s.id from derived d join sets s on s.game = d.game and s.code_key = d.code_key
    where not exists (select from touched_sets t where t.id = s.id)`)
}
