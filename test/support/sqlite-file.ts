import { writeFileSync } from 'node:fs'
import initSqlJs from 'sql.js'

const { Database } = await initSqlJs()

/** Writes an SQLite file by its statements, and returns its path. */
export function writeSqlite(path: string, sql: string): string {
  const database = new Database()
  database.run(sql)
  writeFileSync(path, database.export())
  database.close()
  return path
}
