import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { bulkLimits, servingLimits, type Target } from './connection.ts'
import { startEmbedded } from './embedded.ts'
import { isDamage } from './errors.ts'
import type { Log } from './log.ts'
import { openPool } from './pool.ts'
import { openReader, type Reader } from './reader.ts'
import { createReadRows, type ReadRows } from './rows.ts'

type DatabaseOptions = Readonly<{
  /** A PostgreSQL server (14 or later). Without it Pantry runs its own in `dataDir`. */
  url?: string | undefined
  dataDir: string
  /** Use the server of a Pantry that runs one in `dataDir` already. */
  share?: boolean
  log: Log
  /** Check each row that is read with a schema against it. For development and tests. */
  checkRows?: boolean
}>

export type DatabaseHealth = Readonly<{ status: 'ok' | 'degraded' | 'down', detail: string }>

/** The one way to the data. Errors of all three ways are typed: a `SurfaceError` 503 when the server cannot answer, within two seconds while serving. */
export type Database = Readonly<{
  /** For requests: small pool, every statement ends after one second. */
  knex: Knex
  /** For imports, migrations and other long work: own pool, no statement limit. */
  bulk: Knex
  /** Runs a statement of either, and types its rows by a schema that names their columns. */
  rows: ReadRows
  /** For point reads of requests: many keys, one query. */
  reader: Reader
  /** Where the server is, for a process that opens its own connections. */
  target: Target
  health: () => Promise<DatabaseHealth>
  /** Ends all connections, then the embedded server if there is one. */
  close: () => Promise<void>
}>

/**
 * Opens the named server, or starts the embedded one (throws `DatabaseStartError` when that fails). A named server need not be there yet:
 * until it is, reads fail with a typed 503 and `health` says `down`.
 */
export async function openDatabase ({ url, dataDir, share, log, checkRows = false }: DatabaseOptions): Promise<Database> {
  const embedded = url === undefined ? await startEmbedded({ dataDir, log, share }) : undefined
  const target = embedded?.connection ?? { url: url ?? '' }
  const damage = watchDamage(log)
  const knex = openPool(target, servingLimits, 6, log).on('query-error', damage.notice)
  const bulk = openPool(target, bulkLimits, 4, log).on('query-error', damage.notice)
  const reader = openReader({ target, log, checkRows, onError: damage.notice })
  const kind = embedded === undefined ? 'PostgreSQL server' : 'embedded PostgreSQL'

  async function health (): Promise<DatabaseHealth> {
    try {
      await knex.raw('select 1')
      if (damage.isFresh()) return { status: 'down', detail: `${kind} cannot read some of what it stored.` }
      const readers = reader.connected()
      return readers > 0 ? { status: 'ok', detail: `${kind} answers.` } : { status: 'degraded', detail: `${kind} answers, its readers are reconnecting.` }
    } catch {
      return { status: 'down', detail: `${kind} does not answer.` }
    }
  }

  async function close (): Promise<void> {
    // An import that is under way would be waited for; what it has not committed is given up with its connection.
    const emptied = Promise.allSettled([knex.destroy(), bulk.destroy(), reader.close()])
    await Promise.race([emptied, sleep(1_000, undefined, { ref: false })])
    await embedded?.stop()
    await emptied
  }

  return { knex, bulk, rows: createReadRows(checkRows), reader, target, health, close }
}

/** How long damaged data that a request met counts, in milliseconds. */
const damageMs = 300_000

/** Remembers that the server could not read what it stored, and says it in the log, once in that time. */
function watchDamage (log: Log): Readonly<{ notice: (error: unknown) => void, isFresh: () => boolean }> {
  let last = -Infinity
  let told = -Infinity
  return {
    notice: error => {
      if (!isDamage(error)) return
      last = performance.now()
      if (last - told < damageMs) return
      told = last
      log.error(`PostgreSQL cannot read what it stored: ${(error as Error).message}. Restore a backup, or import the data again into a new data folder.`)
    },
    isFresh: () => performance.now() - last < damageMs
  }
}
