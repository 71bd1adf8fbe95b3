import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'

/** What runs a statement, such as a knex. */
type Raw = Readonly<{ raw: <Result>(sql: string, bindings?: unknown[]) => PromiseLike<Result> }>

/** Returns the folders with the files of a database and of the log of its server, with all that was written in them. */
export async function foldersOf(knex: Raw): Promise<readonly string[]> {
  await knex.raw('checkpoint')
  const {
    rows: [place]
  } = await knex.raw<{ rows: { folder: string; oid: number }[] }>(
    "select current_setting('data_directory') as folder, oid::int from pg_database where datname = current_database()"
  )
  return [join(place?.folder ?? '', 'base', String(place?.oid)), join(place?.folder ?? '', 'pg_wal')]
}

/** Whether a file of the folders holds a text. */
export function inFiles(folders: readonly string[], text: string): boolean {
  // 2: a file of the log was removed while it was read.
  for (let tries = 0; tries < 10; tries++) {
    const { status } = spawnSync('grep', ['-raqF', '-e', text, ...folders])
    if (status !== 2) return status === 0
  }
  throw new Error(`The files below ${folders.join(', ')} cannot be read.`)
}

/** Fails for each of the texts that a table of the database, a file of it or its log holds. */
export async function noneHeld(t: Test, knex: Raw, texts: readonly string[]): Promise<void> {
  const { rows: columns } = await knex.raw<{ rows: { table: string; column: string }[] }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`
  )
  t.ok(columns.length > 50, `${columns.length} columns`)
  for (const { table, column } of columns) {
    const { rows } = await knex.raw<{ rows: object[] }>(
      'select left(??::text, 200) as found from ?? where ??::text like any(?) limit 3',
      [column, table, column, texts.map(text => `%${text}%`)]
    )
    t.same(rows, [], `${table}.${column}`)
  }
  const folders = await foldersOf(knex)
  for (const text of texts) t.equal(inFiles(folders, text), false, `${text} in a file of the database`)
}
