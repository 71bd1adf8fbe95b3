import { AsyncLocalStorage } from 'node:async_hooks'
import knex, { type Knex } from 'knex'
import type { ClientBase } from 'pg'
import type { ConnectionLimits, Log, ServerTarget } from './connection.ts'
import { destroyConnection, GuardedDialect, poolConfig, type KnexQuery, type PoolConfig } from './pool.ts'
import { databaseUnavailable } from './errors.ts'
import type { InSnapshot } from '../plan/answer.ts'
import { openReader, type Reader, type ReaderOptions, type RunLookup } from './reader.ts'

/** The connection of a snapshot. It runs one statement at a time, also when several are started at once. */
class Snapshot {
  readonly connection: ClientBase
  isOver = false
  /** The error of the first statement that failed. PostgreSQL runs no statement of the transaction after it. */
  failure: Error | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: ClientBase) {
    this.connection = connection
  }

  async inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(run, run)
    this.#last = turn.catch(() => undefined)
    return await turn
  }
}

type Current = AsyncLocalStorage<Snapshot | undefined>
/**
 * Returns the snapshot that the caller reads in; undefined if there is none, or if it has ended before work that was
 * begun in it.
 */
const runningIn = (current: Current): Snapshot | undefined => {
  const snapshot = current.getStore()
  return snapshot?.isOver === true ? undefined : snapshot
}

type SnapshotConfig = PoolConfig & Readonly<{ current: Current }>

/** Maximum number of snapshots at a time: half of the connections of the pool for requests. */
const maxSnapshots = 3

/** The dialect for read-only statements. Statements within a snapshot use the connection of that snapshot. */
class SnapshotDialect extends GuardedDialect {
  declare readonly config: SnapshotConfig
  #snapshots = 0

  // Within a snapshot, knex gets the snapshot object as the connection, so that it is never mistaken for a connection
  // of the pool.
  override async acquireConnection(): Promise<unknown> {
    return runningIn(this.config.current) ?? (await super.acquireConnection())
  }

  override releaseConnection(connection: ClientBase | Snapshot): unknown {
    return connection instanceof Snapshot ? Promise.resolve() : super.releaseConnection(connection)
  }

  override async query(connection: ClientBase | Snapshot, query: KnexQuery): Promise<unknown> {
    if (!(connection instanceof Snapshot)) return await super.query(connection, query)
    return await connection.inTurn(async () => {
      if (connection.failure !== undefined) throw connection.failure
      if (connection.isOver) throw databaseUnavailable()
      try {
        return await super.query(connection.connection, query)
      } catch (error) {
        connection.failure = error as Error
        throw error
      }
    })
  }

  /**
   * Runs `work` in one snapshot of the data: everything that it reads by `database.reading` and `database.reader` is
   * read in one read-only transaction (PostgreSQL manual, 13.2.2), also within a further `inSnapshot`. Returns
   * undefined without running `work` if `maxSnapshots` are open, because the other connections are for other requests.
   */
  inSnapshot<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (runningIn(this.config.current) !== undefined) return work()
    if (this.#snapshots >= maxSnapshots) return undefined
    this.#snapshots += 1
    return this.#runInOne(work).finally(() => {
      this.#snapshots -= 1
    })
  }

  async #runInOne<T>(work: () => Promise<T>): Promise<T> {
    const { current } = this.config
    const connection = (await super.acquireConnection()) as ClientBase
    const snapshot = new Snapshot(connection)
    try {
      await super.query(connection, { sql: 'begin transaction isolation level repeatable read, read only' })
      return await current.run(snapshot, work)
    } finally {
      snapshot.isOver = true
      // The transaction wrote nothing, so a rollback ends it in every case, also after a statement that failed.
      await snapshot
        .inTurn(() => super.query(connection, { sql: 'rollback' }))
        .catch(() => {
          destroyConnection(connection)
        })
      await super.releaseConnection(connection)
    }
  }
}

/** Opens the pool for read-only statements and the reader for lookups, both on the read-only server. */
export function openReads(
  target: ServerTarget,
  size: number,
  given: Omit<ReaderOptions, 'target' | 'inSnapshot'> & Readonly<{ limits: ConnectionLimits; log: Log }>
): Readonly<{ reading: Knex; reader: Reader; inSnapshot: InSnapshot }> {
  const current: Current = new AsyncLocalStorage()
  const config = { ...poolConfig(target, given.limits, size, given.log), client: SnapshotDialect, current }
  const reading = knex(config as Knex.Config)
  const client = reading.client as SnapshotDialect
  const lookup: RunLookup = async (sql, keys) => {
    const connection = await client.acquireConnection()
    const { response } = (await client.query(connection as Snapshot, {
      sql,
      bindings: [keys],
      options: { rowMode: 'array' }
    })) as Exclude<KnexQuery, string>
    return (response?.rows ?? []) as readonly (readonly unknown[])[]
  }
  return {
    reading,
    reader: openReader({ ...given, target, inSnapshot: () => (runningIn(current) === undefined ? undefined : lookup) }),
    inSnapshot: work => client.inSnapshot(work)
  }
}
