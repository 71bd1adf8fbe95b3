/**
 * `pantry/database`: the one database of the process. A root asks for it in `surfaces/services`, and its tables are
 * made in `migrations/`.
 *
 * @module
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
export { dataDirOf } from '../../core/database/root-services.ts'
export type { Database, DatabaseHealth } from '../../core/database/database.ts'
export type { Log } from '../../core/database/connection.ts'
export {
  lockKeys,
  withKeys,
  type KeptForKey,
  type KeyedWork,
  type AnswerStore,
  type OnceForKey
} from '../../core/database/once/keys.ts'
export type { RunChange } from '../../core/database/once/once.ts'
export type { Migration } from '../../core/database/migrations.ts'
export type { Loader, LoaderSpec, Reader } from '../../core/database/reader.ts'
export type { ReadRows, RowOf } from '../../core/database/rows.ts'
export type { Knex } from 'knex'
