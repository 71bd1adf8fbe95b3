import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { bulkLimits, commandBulkLimits, commandLimits, servingLimits, type ServerTarget } from './connection.ts'
import type { GuardedDialect } from './dialect.ts'
import { startEmbedded } from './embedded.ts'
import { isDamage } from './errors.ts'
import { silent, type Log } from './log.ts'
import { namedServers, type ServerNames } from './named-servers.ts'
import { openPool } from './pool.ts'
import { openReader, type Reader } from './reader.ts'
import { openReads } from './reads.ts'
import { createReadRows, type ReadRows } from './rows.ts'
import { watchServers } from './servers.ts'
import { watchWrites } from './writes.ts'

/** Options for the database. Without a `url`, Pantry runs an embedded server in `dataDir`. */
type DatabaseOptions = ServerNames &
  Readonly<{
    /** Maximum age of a standby's data, in milliseconds. */
    longestLag?: number | undefined
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
   * primary: what writes, and what must see a write at once.
   */
  knex: Knex
  /**
   * Pool for requests that only read: on a standby at most a few seconds behind, if standbys are named, else on the
   * primary.
   */
  reading: Knex
  /** Pool for imports, migrations and other long work, without a time limit for statements. */
  bulk: Knex
  /** Runs a statement of one of the pools and types its rows by a schema of their columns. */
  rows: ReadRows
  /** Batched lookups by key for requests; reads where `reading` does. */
  reader: Reader
  /** Returns the time up to which the standby that is read has all data (ISO 8601); undefined if reads are current. */
  asOf: () => string | undefined
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
  longestLag = 5_000,
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
  const { primaries, standbys } = namedServers(names)
  const target = embedded?.connection ?? primaries[0]?.target ?? { url: '' }
  const damage = watchDamage(log)
  const writes = watchWrites(embedded?.folder, log)
  const notice = (error: unknown): void => {
    damage.notice(error)
    writes.notice(error)
  }
  const given = { limits, log, checkRows, onError: notice }
  const servers =
    primaries.length + standbys.length < 2
      ? undefined
      : watchServers({
          primaries,
          standbys,
          longestLag,
          longestAnswer: isPatient ? limits.connect : undefined,
          log,
          moved: () => {
            lookups.hurry()
          }
        })
  const main = servers?.primary ?? target
  const knex = openPool(main, limits, poolSize, log, writes.refusal).on('query-error', notice)
  const bulk = openPool(main, limitsOfBulk, 4, log, writes.refusal).on('query-error', notice)
  const { reading, lookups } =
    servers === undefined || standbys.length === 0
      ? {
          reading: knex,
          lookups: openReader({ ...given, target: main, ...(servers === undefined ? {} : { log: silent }) })
        }
      : openReads(servers, knex, poolSize, given)
  if (reading !== knex) reading.on('query-error', notice)
  for (const one of [knex, bulk]) one.userParams = { dataDir }
  const kind = embedded === undefined ? 'PostgreSQL server' : 'embedded PostgreSQL'

  async function health(): Promise<DatabaseHealth> {
    try {
      const {
        rows: [state]
      } = await knex.raw<{ rows: { read_only: string }[] }>(
        "select current_setting('transaction_read_only') as read_only"
      )
      await writes.look(sql => knex.raw(sql))
      return { ...answering(), isWritable: state?.read_only === 'off' && writes.arePossible() }
    } catch {
      const left = servers?.reading() !== undefined && lookups.connected() > 0
      return {
        ...(left
          ? { status: 'degraded', detail: 'A standby answers. Nothing can be written until a primary does.' }
          : { status: 'down', detail: `${kind} does not answer.` }),
        isWritable: false
      }
    }
  }

  /** Returns the health of a server that answers. */
  function answering(): Omit<DatabaseHealth, 'isWritable'> {
    if (damage.isFresh()) return { status: 'down', detail: `${kind} cannot read some of what it stored.` }
    if (!writes.arePossible())
      return {
        status: 'degraded',
        detail: `${kind} is read. Its disk is full: nothing can be written until there is space.`
      }
    if (lookups.connected() === 0)
      return { status: 'degraded', detail: `${kind} answers, its readers are reconnecting.` }
    if (reading !== knex && servers?.hasStandby() === false)
      return { status: 'degraded', detail: `${kind} answers, its standbys do not or are too far behind.` }
    return { status: 'ok', detail: `${kind} answers.` }
  }

  function asOf(): string | undefined {
    const moment = servers?.knownUntil()
    return moment === undefined ? undefined : new Date(moment).toISOString()
  }

  async function close(): Promise<void> {
    // A pool waits for running work such as an import. After a second its connections are destroyed, and what is not
    // committed is lost.
    const pools = [...new Set([knex, reading, bulk])]
    const emptied = Promise.allSettled([...pools.map(pool => pool.destroy()), lookups.close(), servers?.close()])
    await Promise.race([emptied, sleep(1_000, undefined, { ref: false })])
    for (const pool of pools) (pool.client as GuardedDialect).giveUpAll('The database is closed.')
    await embedded?.stop()
  }

  return { knex, reading, bulk, rows: createReadRows(checkRows), reader: lookups, asOf, target, health, close }
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
