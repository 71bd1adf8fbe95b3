import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import {
  bulkLimits,
  commandBulkLimits,
  commandLimits,
  servingLimits,
  targetOf,
  type Log,
  type ServerNames,
  type ServerTarget
} from './connection.ts'
import { openPool, type GuardedDialect } from './pool.ts'
import { startEmbedded } from './embedded.ts'
import { isDamage } from './errors.ts'
import type { InSnapshot } from '../plan/answer.ts'
import { openReader, type Reader } from './reader.ts'
import { openReads } from './reads.ts'
import { Text } from '../contract/shapes.ts'
import { createReadRows, type ReadRows } from './rows.ts'
import { watchWrites } from './writes.ts'

/** Options for the database. Without a `url`, Pantry runs an embedded server in `dataDir`. */
type DatabaseOptions = ServerNames &
  Readonly<{
    dataDir: string
    /** Use the embedded server of another Pantry process that runs in `dataDir`. */
    share?: boolean
    /** Number of processes that will connect to the embedded server; default 1. */
    processes?: number
    log: Log
    /**
     * Nobody waits for the answer, as of a command: up to a minute is waited for a connection, and no statement has the
     * limit of a request.
     */
    isPatient?: boolean
    /** Check each row that is read with a schema against it. For development and tests. */
    checkRows?: boolean
  }>

/** How the database is, in a sentence too. */
export type DatabaseHealth = Readonly<{ status: 'ok' | 'degraded' | 'down'; detail: string; isWritable: boolean }>

/**
 * The access to the database. Errors are typed: a `SurfaceError` 503 if the server cannot answer, for requests within
 * two seconds.
 */
export type Database = Readonly<{
  /**
   * For requests: small pool, every statement ends after one second; that of a command after a minute. Always the
   * server that is written to: for what writes, and for what belongs to a person and must see a write at once.
   */
  knex: Knex
  /** Pool for requests that only read what everybody may know; on the server that is only read, if one is named. */
  reading: Knex
  /** Pool for imports, migrations and other long work, without a time limit for statements. */
  bulk: Knex
  /** Runs a statement of one of the pools and types its rows by a schema of their columns. */
  rows: ReadRows
  /** Batched lookups by key for requests; reads where `reading` does. */
  reader: Reader
  /**
   * Runs work that reads by `reading` and `reader` in one read-only transaction. Undefined if no server is only read:
   * what one server answers later is never older.
   */
  inSnapshot: InSnapshot | undefined
  /** Address of the server, for processes that open connections of their own. */
  target: ServerTarget
  health: () => Promise<DatabaseHealth>
  /** Closes all connections, then stops the embedded server if there is one. */
  close: () => Promise<void>
}>

/** Connections for requests, in addition to those of the reader. */
const poolSize = 6

/**
 * Opens the named servers, or starts the embedded one (throws `DatabaseStartError` if that fails). A named server may
 * be unavailable at first: until it answers, reads fail with a typed 503 and `health` returns `down`.
 */
export async function openDatabase({
  dataDir,
  share,
  processes = 1,
  log,
  isPatient = false,
  checkRows = false,
  ...names
}: DatabaseOptions): Promise<Database> {
  const [limits, limitsOfBulk] = isPatient ? [commandLimits, commandBulkLimits] : [servingLimits, bulkLimits]
  const embedded =
    names.url === undefined
      ? await startEmbedded({
          dataDir,
          log,
          share,
          limits: limitsOfBulk,
          settings: processes === 1 ? {} : { max_connections: String(perProcess * (processes + 5)) }
        })
      : undefined
  const target = embedded?.connection ?? targetOf(names.url ?? '', names)
  const damage = watchDamage(log)
  const writes = watchWrites(embedded?.folder, log)
  const notice = (error: unknown): void => {
    damage.notice(error)
    writes.notice(error)
  }
  const given = { limits, log, checkRows, onError: notice }
  const knex = openPool(target, limits, poolSize, log, writes.refusal).on('query-error', notice)
  const bulk = openPool(target, limitsOfBulk, 4, log, writes.refusal).on('query-error', notice)
  const { reading, reader, inSnapshot } =
    names.readUrl === undefined
      ? { reading: knex, reader: openReader({ ...given, target }), inSnapshot: undefined }
      : openReads(targetOf(names.readUrl, names), poolSize, given)
  if (reading !== knex) reading.on('query-error', notice)
  for (const one of [knex, bulk]) one.userParams = { dataDir }
  const kind = embedded === undefined ? 'PostgreSQL server' : 'embedded PostgreSQL'

  const look = reader.createLoader({
    name: 'look',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })

  /** Tells whether the server that is only read answers, on a connection of its own; undefined if there is none. */
  const isRead = async (): Promise<boolean | undefined> =>
    reading === knex
      ? undefined
      : await look.load('here').then(
          () => true,
          () => false
        )

  async function health(): Promise<DatabaseHealth> {
    const others = isRead()
    try {
      const {
        rows: [state]
      } = await knex.raw<{ rows: { read_only: string }[] }>(
        "select current_setting('transaction_read_only') as read_only"
      )
      await writes.look(sql => knex.raw(sql))
      return { ...answering(await others), isWritable: state?.read_only === 'off' && writes.arePossible() }
    } catch {
      return {
        ...((await others) === true
          ? { status: 'degraded', detail: 'The server that is only read answers. Nothing can be written now.' }
          : { status: 'down', detail: `${kind} does not answer.` }),
        isWritable: false
      }
    }
  }

  /** Returns the health of a server that answers, and of the one that is only read. */
  function answering(isReadAnswering: boolean | undefined): Omit<DatabaseHealth, 'isWritable'> {
    if (damage.isFresh()) return { status: 'down', detail: `${kind} cannot read some of what it stored.` }
    if (isReadAnswering === false)
      return { status: 'down', detail: `${kind} answers, the server of DATABASE_READ_URL does not.` }
    if (!writes.arePossible())
      return {
        status: 'degraded',
        detail: `${kind} is read. Its disk is full: nothing can be written until there is space.`
      }
    if (reader.connected() === 0)
      return { status: 'degraded', detail: `${kind} answers, its readers are reconnecting.` }
    return { status: 'ok', detail: `${kind} answers.` }
  }

  async function close(): Promise<void> {
    // A pool waits for running work such as an import. After a second its connections are destroyed, and what is not
    // committed is lost.
    const pools = [...new Set([knex, reading, bulk])]
    const emptied = Promise.allSettled([...pools.map(pool => pool.destroy()), reader.close()])
    await Promise.race([emptied, sleep(1_000, undefined, { ref: false })])
    for (const pool of pools) (pool.client as GuardedDialect).giveUpAll()
    await embedded?.stop()
  }

  return { knex, reading, bulk, rows: createReadRows(checkRows), reader, inSnapshot, target, health, close }
}

/**
 * Connections to the embedded server for each process. With several processes, five more shares are for commands that
 * run at the same time.
 */
const perProcess = 10

/** Milliseconds for which `health` reports damaged data after a request has met it. */
const damageMs = 300_000

/** Remembers that the server could not read stored data, and logs it once per `damageMs`. */
function watchDamage(log: Log): Readonly<{ notice: (error: unknown) => void; isFresh: () => boolean }> {
  let last = -Infinity
  let told = -Infinity
  return {
    notice: error => {
      if (!isDamage(error)) return
      last = performance.now()
      if (last - told < damageMs) return
      told = last
      log.error(
        `PostgreSQL cannot read what it stored: ${(error as Error).message}. Restore a backup, or import the data again into a new data folder.`
      )
    },
    isFresh: () => performance.now() - last < damageMs
  }
}
