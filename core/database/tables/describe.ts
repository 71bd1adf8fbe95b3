import type { Knex } from 'knex'
import type { JsonSchema } from '../../canonical/json.ts'

/** A column as the database has it; `type` as `format_type` writes it, without length and precision. */
type DescribedColumn = Readonly<{ name: string; type: string; isNullable: boolean; comment: string | null }>

/** An index without a condition: how it works, and its first column or expression with its operator class. */
export type DescribedIndex = Readonly<{
  method: string
  first: string
  operatorClass: string
  isUnique: boolean
  size: number
}>

/**
 * A table or view as the database has it. Of the columns of a view the database does not know whether they can be null,
 * so they count as such. `key`: the columns of the primary key.
 */
export type DescribedTable = Readonly<{
  isView: boolean
  comment: string | null
  columns: readonly DescribedColumn[]
  key: readonly string[]
  indexes: readonly DescribedIndex[]
}>

const sql = `
  select c.relkind in ('v', 'm') as "isView", obj_description(c.oid, 'pg_class') as comment,
    array(select json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isNullable', not a.attnotnull,
        'comment', col_description(c.oid, a.attnum))
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
    array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
    array(select json_build_object('method', m.amname, 'first', pg_get_indexdef(i.indexrelid, 1, true),
        'operatorClass', o.opcname, 'isUnique', i.indisunique, 'size', i.indnkeyatts)
      from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam join pg_opclass o on o.oid = i.indclass[0]
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null) as indexes
  from pg_class c where c.oid = to_regclass(?) and c.relkind in ('r', 'p', 'v', 'm', 'f')`

/** Returns a name, with its schema before a dot, as SQL writes identifiers. */
export const quotedName = (name: string): string =>
  name
    .split('.')
    .map(part => `"${part}"`)
    .join('.')

/** Whether a column is the first of an index. */
export const isOf = ({ first }: DescribedIndex, column: string): boolean => first.replaceAll('"', '') === column

/** Whether an index keeps a column unique. */
export const keepsUnique = ({ indexes }: DescribedTable, column: string): boolean =>
  indexes.some(index => index.isUnique && index.size === 1 && isOf(index, column))

/** Returns a table or view by its name; undefined if there is none, or the role may not see it. */
export async function describeTable(knex: Knex, name: string): Promise<DescribedTable | undefined> {
  const { rows } = await knex.raw<{ rows: DescribedTable[] }>(sql, [quotedName(name)])
  return rows[0]
}

const scalars: Readonly<Record<string, JsonSchema>> = {
  smallint: { type: 'integer' },
  integer: { type: 'integer' },
  bigint: { type: 'integer' },
  numeric: { type: 'number' },
  real: { type: 'number' },
  'double precision': { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  'character varying': { type: 'string' },
  character: { type: 'string' },
  date: { type: 'string', format: 'date' },
  'timestamp with time zone': { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
  json: {},
  jsonb: {}
}

/** Types that are not served: bytes, and the words that are searched. */
const unserved = ['bytea', 'tsvector']

/** Returns the JSON Schema of the values of a column type; undefined if they are not served. */
export function schemaOfType(type: string): JsonSchema | undefined {
  if (unserved.includes(type)) return undefined
  if (!type.endsWith('[]')) return scalars[type] ?? { type: 'string' }
  const items = schemaOfType(type.slice(0, -2))
  return items === undefined ? undefined : { type: 'array', items }
}
