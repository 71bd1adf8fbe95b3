import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openPool } from '../../core/database/pool.ts'

/** One thing that a database has: what it is, where it belongs, its name, and how it is defined. */
type Defined = Readonly<{ what: string; of: string; name: string; definition: string | null }>

const everything = `
  select 'column' as what, table_name as of, column_name as name,
    concat_ws(' ', data_type, 'default ' || column_default, case is_nullable when 'NO' then 'not null' end, 'generated ' || generation_expression) as definition
    from information_schema.columns where table_schema = 'public'
  union all select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', '', proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', pg_get_functiondef(p.oid)
    from pg_proc p where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all select 'view', '', viewname, definition from pg_views where schemaname = 'public'
  union all select 'comment', c.relname, coalesce(a.attname, ''), d.description from pg_description d join pg_class c on c.oid = d.objoid
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
    where d.classoid = 'pg_class'::regclass and c.relnamespace = 'public'::regnamespace
  union all select 'sequence', '', sequencename, data_type::text from pg_sequences where schemaname = 'public'
  union all select 'extension', '', extname, null from pg_extension
  order by 1, 2, 3`

/** Everything that the schema of a database defines, in an order that is always the same. */
export async function schemaOf(url: string): Promise<readonly Defined[]> {
  const pool = openPool({ url }, bulkLimits, 1, silent)
  try {
    return (await pool.raw<{ rows: Defined[] }>(everything)).rows
  } finally {
    await pool.destroy()
  }
}
