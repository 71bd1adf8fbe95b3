import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { bulkLimits, servingLimits, type ServerTarget } from './connection.ts'
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

/** Without a `url` Pantry runs a server of its own in `dataDir`. */
type DatabaseOptions = ServerNames &
  Readonly<{
    /** How old what a standby knows may be, in milliseconds. */
    longestLag?: number | undefined
    dataDir: string
    /** Use the server of a Pantry that runs one in `dataDir` already. */
    share?: boolean
    /** Processes that will connect to the server that Pantry runs; default 1. */
    processes?: number
    log: Log
    /** Check each row that is read with a schema against it. For development and tests. */
    checkRows?: boolean
  }>

/** How the database is, in a sentence too. */
export type DatabaseHealth = Readonly<{ status: 'ok' | 'degraded' | 'down'; detail: string; isWritable: boolean }>

/**
 * The one way to the data. Errors of all three ways are typed: a `SurfaceError` 503 when the server cannot answer,
 * within two seconds while serving.
 */
export type Database = Readonly<{
  /**
   * For requests: small pool, every statement ends after one second. Always the primary: what writes, and what must see
   * a write at once.
   */
  knex: Knex
  /**
   * The same for statements of requests that only read: a standby that knows everything up to a few seconds ago, where
   * some are named.
   */
  reading: Knex
  /** For imports, migrations and other long work: own pool, no statement limit. */
  bulk: Knex
  /** Runs a statement of either, and types its rows by a schema that names their columns. */
  rows: ReadRows
  /** For point reads of requests: many keys, one query; where `reading` reads. */
  reader: Reader
  /** The time up to which the standby that is read knows everything (ISO 8601). Undefined where reads are of now. */
  asOf: () => string | undefined
  /** Where the server is, for a process that opens its own connections. */
  target: ServerTarget
  health: () => Promise<DatabaseHealth>
  /** Ends all connections, then the embedded server if there is one. */
  close: () => Promise<void>
}>

/** Connections for requests, beside those of the reader. */
const poolSize = 6

/**
 * Opens the named server, or starts the embedded one (throws `DatabaseStartError` when that fails). A named server need
 * not be there yet: until it is, reads fail with a typed 503 and `health` says `down`.
 */
export async function openDatabase({
  longestLag = 5_000,
  dataDir,
  share,
  processes = 1,
  log,
  checkRows = false,
  ...names
}: DatabaseOptions): Promise<Database> {
  const embedded =
    names.url === undefined
      ? await startEmbedded({
          dataDir,
          log,
          share,
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
  const given = { log, checkRows, onError: notice }
  const servers =
    primaries.length + standbys.length < 2
      ? undefined
      : watchServers({
          primaries,
          standbys,
          longestLag,
          log,
          moved: () => {
            lookups.hurry()
          }
        })
  const main = servers?.primary ?? target
  const knex = openPool(main, servingLimits, poolSize, log, writes.refusal).on('query-error', notice)
  const bulk = openPool(main, bulkLimits, 4, log, writes.refusal).on('query-error', notice)
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

  /** How a server is that answers. */
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
    // An import that is under way would be waited for; what it has not committed is given up with its connection.
    const pools = [...new Set([knex, reading, bulk])]
    const emptied = Promise.allSettled([...pools.map(pool => pool.destroy()), lookups.close(), servers?.close()])
    await Promise.race([emptied, sleep(1_000, undefined, { ref: false })])
    for (const pool of pools) (pool.client as GuardedDialect).giveUpAll('The database is closed.')
    await embedded?.stop()
  }

  return { knex, reading, bulk, rows: createReadRows(checkRows), reader: lookups, asOf, target, health, close }
}

/**
 * Connections of the server that Pantry runs, for each of its processes; what one process has alone is for commands
 * beside them as well.
 */
const perProcess = 10

/** How long damaged data that a request met counts, in milliseconds. */
const damageMs = 300_000

/** Remembers that the server could not read what it stored, and says it in the log, once in that time. */
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
