import type { Transaction } from 'pantry/database'
import { statedFields } from '../../cards/card-fields.ts'
import type { Source } from '../source.ts'

const pageSize = 2_000

/** SQL of the facts of a card `c` as an object, in the names of the rows of observations. */
const card = `jsonb_build_object(${statedFields.map(field => `'${field}', c.${field}`).join(', ')})`

/**
 * SQL of all that is held of a source, one JSON value in each row. `left_out`: the ids of the rows that were left out
 * although they could be read. `card`: the facts that are served, where no other source lists the card too.
 */
const held = `
  select jsonb_build_object('left_out', native_id) as line from quarantine where source = :source and other_native_id is null
  union all
  select jsonb_build_object('set', jsonb_build_object('game', game, 'code', code, 'name', name, 'released_on', released_on,
    'declared_total', declared_total)) from declared_sets where source = :source
  union all
  select jsonb_build_object('row', jsonb_build_object('native_id', o.native_id, 'sku', o.sku, 'row', o.row, 'set', s.statement,
    'card', case when c.sku is null then '{}'::jsonb when c.sources = array[o.source] then ${card} end))
  from observations o join set_statements s on s.id = o.statement_id left join cards c on c.sku = o.sku
  where o.source = :source`

/**
 * Yields what the second reader needs of a source whose files are in a folder: the declaration, all that is held, and
 * `end`. What is held is of one state of the database.
 */
export async function* linesOf(
  transaction: Transaction,
  { id, reader, attributes = [] }: Source,
  folder: string
): AsyncGenerator {
  yield { folder, reader, attributes: Object.fromEntries(attributes.map(one => [one.name, one])) }
  await transaction.raw(`declare held no scroll cursor for ${held}`, { source: id })
  for (let size = pageSize; size === pageSize;) {
    const { rows } = await transaction.raw<{ rows: { line: unknown }[] }>(`fetch ${pageSize} from held`)
    size = rows.length
    for (const { line } of rows) yield line
  }
  yield { end: true }
}
