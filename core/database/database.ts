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
import type { AnswerOnce } from '../plan/kind.ts'
import { openOnce, type RunChange } from './once/once.ts'
import { openReader, type Reader } from './reader.ts'
import { openReads } from './reads.ts'
import { Text } from '../contract/shapes.ts'
import { createReadRows, type ReadRows } from './rows.ts'
import { watchWrites } from './writes.ts'

/** Options for the database. Without a `url`, Pantry runs an embedded server in `dataDir`. */
type DatabaseOptions = ServerNames &
  Readonly<{
    dataDir: string
    /** Use the embedded server of another Pantry process, if one runs in `dataDir`. */
    share?: boolean
    /** Number of processes of this Pantry that will connect to the embedded server; default 1. */
    processes?: number
    log: Log
    /**
     * For commands, whose answer nobody waits for: a connection is waited for up to a minute, and a statement may take
     * a minute instead of a second (those of `bulk` have no limit).
     */
    isPatient?: boolean
    /** Whether the process is a service, beside which no backup may be restored. */
    isService?: boolean
    /** Check each row that is read against the schema of its columns. For development and tests. */
    checkRows?: boolean
  }>

/** The state of the database, also as a sentence (`detail`). `isWritable`: whether rows can be written now. */
export type DatabaseHealth = Readonly<{ status: 'ok' | 'degraded' | 'down'; detail: string; isWritable: boolean }>

/**
 * The access to the database. Errors are typed: a `SurfaceError` 503 if the server cannot answer (for requests within
 * two seconds), 400 if it cannot represent a value; other errors are as thrown.
 */
export type Database = Readonly<{
  /**
   * Small pool for requests, always on the server that is written to: for writes, and for reads of what belongs to a
   * person and must show the person's last write. A statement is ended after one second, for a command (`isPatient`)
   * after one minute.
   */
  knex: Knex
  /**
   * Pool for requests that only read what is the same for everybody; on the read-only server if one is named, else the
   * same pool as `knex`.
   */
  reading: Knex
  /** Pool for imports, migrations and other long work, without a time limit for statements. */
  bulk: Knex
  /** Runs a statement of one of the pools, and types its rows by the schema of a row. */
  rows: ReadRows
  /** Batched lookups by key for requests; on the same server as `reading`. */
  reader: Reader
  /**
   * Runs work so that all that it reads by `reading` and `reader` is read in one read-only transaction. This member is
   * undefined without a read-only server, because later answers of a single server are never older than earlier ones.
   */
  inSnapshot: InSnapshot | undefined
  /**
   * Runs work that writes in a transaction: that in which the answer of the request is kept if it has an idempotency
   * key, so that both are kept or neither, else one of its own. A change within a change is undone alone if it throws.
   */
  change: RunChange
  /** Answers a request with an idempotency key once. */
  once: AnswerOnce
  /** Address of the server, for processes that open connections of their own. */
  target: ServerTarget
  health: () => Promise<DatabaseHealth>
  /** Closes all connections, then stops the embedded server if there is one. */
  close: () => Promise<void>
}>

/** Maximum number of connections of each pool for requests. The reader has others. */
const poolSize = 6
/** Requests with an idempotency key that run at a time: the other connections are for what their handlers read. */
const mostKeyed = poolSize / 2
const exhausted = `All ${poolSize} connections are in use, so that nothing else can be asked.`

/**
 * Opens the named servers, or starts the embedded one (throws `OperatorFault` if that fails). A named server may
 * be unavailable at first: until it answers, statements fail with a typed 503 and `health` returns `down` or, if only
 * reads are possible, `degraded`.
 */
export async function openDatabase({
  dataDir,
  share,
  processes = 1,
  log,
  isPatient = false,
  isService = false,
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
  const server = embedded?.connection ?? targetOf(names.url ?? '', names)
  const target: ServerTarget = isService ? { ...server, isService } : server
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

  /** Tells whether the read-only server answers a lookup of the reader; undefined if there is no such server. */
  const isRead = async (): Promise<boolean | undefined> =>
    reading === knex
      ? undefined
      : await look.load('here').then(
          () => true,
          () => false
        )

  const isExhausted = (): boolean => (knex.client as GuardedDialect).inUse >= poolSize

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
          : { status: 'down', detail: isExhausted() ? exhausted : `${kind} does not answer.` }),
        isWritable: false
      }
    }
  }

  /**
   * Returns the health if the server that is written to answers. `isReadAnswering`: whether the read-only server
   * answers; undefined if there is none.
   */
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
    // A pool waits for running work such as an import. After a second its connections are destroyed, and transactions
    // that are not committed are lost.
    const pools = [...new Set([knex, reading, bulk])]
    const emptied = Promise.allSettled([...pools.map(pool => pool.destroy()), reader.close()])
    await Promise.race([emptied, sleep(1_000, undefined, { ref: false })])
    for (const pool of pools) (pool.client as GuardedDialect).giveUpAll()
    await embedded?.stop()
  }

  const rows = createReadRows(checkRows)
  return { knex, reading, bulk, rows, reader, inSnapshot, ...openOnce(knex, rows, mostKeyed), target, health, close }
}

/**
 * Connections to the embedded server for each process. If there are several processes, the server accepts as many as
 * five more would need, for commands that run at the same time.
 */
const perProcess = 10

/** Milliseconds for which `health` reports damaged data after a statement has failed because of it. */
const damageMs = 300_000

/** Remembers when the server could not read stored data, and logs that at most once per `damageMs`. */
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
