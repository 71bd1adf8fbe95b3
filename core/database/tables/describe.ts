import type { Knex } from 'knex'
import type { JsonSchema } from '../../canonical/json.ts'

/** A column as the database has it; `type` as `format_type` writes it, without length and precision. */
type DescribedColumn = Readonly<{ name: string; type: string; isNullable: boolean; comment: string | null }>

/** An index without a condition: how it works, its columns or expressions, and the operator class of the first. */
export type DescribedIndex = Readonly<{
  method: string
  columns: readonly string[]
  operatorClass: string
  isUnique: boolean
}>

/** A foreign key of one column. `tables`: the names that the table it leads to can be called by; `key`: its column. */
type DescribedForeignKey = Readonly<{ column: string; tables: readonly string[]; key: string }>

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
  foreignKeys: readonly DescribedForeignKey[]
}>

const sql = `
  select c.relkind in ('v', 'm') as "isView", obj_description(c.oid, 'pg_class') as comment,
    array(select json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isNullable', not a.attnotnull,
        'comment', col_description(c.oid, a.attnum))
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
    array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
    array(select json_build_object('method', m.amname, 'operatorClass', o.opcname, 'isUnique', i.indisunique,
        'columns', array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts::int) n))
      from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam join pg_opclass o on o.oid = i.indclass[0]
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null) as indexes,
    array(select json_build_object('column', a.attname, 'key', b.attname, 'tables',
        array[n.nspname::text || '.' || r.relname] || case when pg_table_is_visible(r.oid) then array[r.relname::text] end)
      from pg_constraint f join pg_class r on r.oid = f.confrelid join pg_namespace n on n.oid = r.relnamespace
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
      where f.conrelid = c.oid and f.contype = 'f' and cardinality(f.conkey) = 1 order by f.conname) as "foreignKeys"
  from pg_class c where c.oid = to_regclass(?) and c.relkind in ('r', 'p', 'v', 'm', 'f')`

/** Returns a name, with its schema before a dot, as SQL writes identifiers. */
export const quotedName = (name: string): string =>
  name
    .split('.')
    .map(part => `"${part}"`)
    .join('.')

/** Returns the first column or expression of an index. */
export const firstOf = ({ columns: [first = ''] }: DescribedIndex): string => first.replaceAll('"', '')

/** Whether an index keeps columns unique together, in whichever order it has them. */
export const keepsUnique = ({ indexes }: DescribedTable, key: readonly string[]): boolean =>
  indexes.some(
    ({ isUnique, columns }) =>
      isUnique && columns.length === key.length && columns.every(name => key.includes(name.replaceAll('"', '')))
  )

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
