import type { Knex } from 'knex'

/** A table and its columns, without generated columns. */
type Stored = Readonly<{ table: string; columns: readonly string[] }>

/** The tables in which knex records migrations. */
const migrationTables = ['schema_migrations', 'schema_migrations_lock']

/**
 * Returns every table of the current schema except those of knex, each after the tables that its foreign keys
 * reference; throws an Error if the keys form a circle. Unlogged tables are left out: they lose their rows in a crash,
 * and a standby cannot read them.
 */
export async function tablesOf(knex: Knex): Promise<readonly Stored[]> {
  const { rows } = await knex.raw<{ rows: (Stored & Readonly<{ parents: readonly string[] }>)[] }>(
    `
    select c.relname as table,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid where f.conrelid = c.oid and f.contype = 'f' and p.oid <> c.oid) as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> all(?)
    order by c.relname`,
    [migrationTables]
  )
  const sorted: Stored[] = []
  let left = rows
  while (left.length > 0) {
    const names = new Set(left.map(({ table }) => table))
    const free = left.filter(({ parents }) => !parents.some(parent => names.has(parent)))
    if (free.length === 0) throw new Error(`The foreign keys of ${[...names].join(', ')} form a circle.`)
    sorted.push(...free.map(({ table, columns }) => ({ table, columns })))
    left = left.filter(table => !free.includes(table))
  }
  return sorted
}

/** Returns the names of the sequences of the current schema, except those of the tables of knex. */
export async function sequencesOf(knex: Knex): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `
    select s.relname as name
    from pg_class s join pg_namespace n on n.oid = s.relnamespace
      left join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') left join pg_class c on c.oid = d.refobjid
    where n.nspname = current_schema() and s.relkind = 'S' and coalesce(c.relname, '') <> all(?)
    order by s.relname`,
    [migrationTables]
  )
  return rows.map(({ name }) => name)
}

/** The comment of a table whose rows may have expired or been used since a backup. A restore leaves the table empty. */
const endsWithRestore = 'Ends with a restore.'

/**
 * Returns the names of the tables that a restore leaves empty. A migration marks them with the comment `Ends with a
 * restore.`
 */
export async function unrestoredOf(knex: Knex): Promise<readonly string[]> {
  const { rows } = await knex.raw<{ rows: { table: string }[] }>(
    `
    select c.relname as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' and obj_description(c.oid, 'pg_class') = ? order by c.relname`,
    [endsWithRestore]
  )
  return rows.map(({ table }) => table)
}

/** Deletes the rows of the tables that a restore leaves empty. */
export async function deleteUnrestored(knex: Knex): Promise<void> {
  for (const table of await unrestoredOf(knex)) await knex(table).delete()
}

/** The start of the comment of a table in which a migration says how many rows it has written. */
const ownRows = 'Rows of its migration: '

/**
 * Returns the name of the first table that has more rows than its migration has written; undefined if there is none.
 */
export async function firstFilled(knex: Knex): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { table: string; said: string }[] }>(
    `
    select c.relname as table, obj_description(c.oid, 'pg_class') as said from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' and starts_with(obj_description(c.oid, 'pg_class'), ?)`,
    [ownRows]
  )
  const written = new Map(rows.map(({ table, said }) => [table, Number(said.slice(ownRows.length))]))
  for (const { table } of await tablesOf(knex))
    if (
      (await knex(table)
        .offset(written.get(table) ?? 0)
        .first(knex.raw('1'))) !== undefined
    )
      return table
  return undefined
}
