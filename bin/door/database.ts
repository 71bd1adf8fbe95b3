/**
 * `pantry/database`: the database that the process shares. A root requests it in `surfaces/services` and creates its
 * tables in `migrations/`.
 */
export {
  Bytes,
  commit,
  copyInto,
  copyLine,
  type CopyValue,
  type StartedLine,
  type Transaction
} from '../../core/database/copy.ts'
export { deleteUnrestored, unrestoredOf } from '../../core/database/backup/tables.ts'
export { dataDirOf } from '../../core/database/data-dir.ts'
export type { Database, DatabaseHealth } from '../../core/database/database.ts'
export type { Log } from '../../core/database/log.ts'
export type { Migration } from '../../core/database/migrations.ts'
export type { Loader, LoaderSpec, Reader } from '../../core/database/reader.ts'
export type { ReadRows, RowOf } from '../../core/database/rows.ts'
export type { Knex } from 'knex'
