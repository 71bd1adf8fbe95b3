import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { bulkLimits, servingLimits, type Target } from './connection.ts'
import { startEmbedded } from './embedded.ts'
import type { Log } from './log.ts'
import { openPool } from './pool.ts'
import { openReader, type Reader } from './reader.ts'
import { createReadRows, type ReadRows } from './rows.ts'

type DatabaseOptions = Readonly<{
  /** A PostgreSQL server (14 or later). Without it Pantry runs its own in `dataDir`. */
  url?: string | undefined
  dataDir: string
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
export async function openDatabase ({ url, dataDir, log, checkRows = false }: DatabaseOptions): Promise<Database> {
  const embedded = url === undefined ? await startEmbedded({ dataDir, log }) : undefined
  const target = embedded?.connection ?? { url: url ?? '' }
  const knex = openPool(target, servingLimits, 6, log)
  const bulk = openPool(target, bulkLimits, 4, log)
  const reader = openReader({ target, log, checkRows })
  const kind = embedded === undefined ? 'PostgreSQL server' : 'embedded PostgreSQL'

  async function health (): Promise<DatabaseHealth> {
    try {
      await knex.raw('select 1')
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
