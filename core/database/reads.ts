import knex, { type Knex } from 'knex'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { giveUp, GuardedDialect, placeOf, type KnexQuery, type PoolConfig, type PooledConnection } from './dialect.ts'
import { isFullPool, isOfServer } from './errors.ts'
import { silent } from './log.ts'
import type { Places } from './places.ts'
import { poolConfig } from './pool.ts'
import { openReader, type Loader, type LoaderSpec, type OwnReader, type ReaderOptions } from './reader.ts'
import type { RowOf } from './rows.ts'
import type { Servers } from './servers.ts'

/** Milliseconds after which a failed read is not repeated, and the pause in milliseconds before a repetition. */
const patience = 1_500
const pause = 25

/**
 * Reads from the chosen server, and repeats the read, perhaps on another server, if the server is at fault. `read` gets
 * the name of the standby; undefined is the primary. A statement that the server cancelled at its time limit or
 * rejected is not repeated. `begun`: when the caller began to wait.
 */
async function persist<T>(
  servers: Servers,
  read: (standby: string | undefined) => Promise<T>,
  begun = performance.now()
): Promise<T> {
  for (;;) {
    const standby = servers.reading()
    try {
      return await read(standby)
    } catch (error) {
      const isOver = isOfServer(error)
      // If a standby hangs, `watchServers` notices it; until then, repeat the read.
      if (performance.now() - begun > patience || !(isOver || (standby !== undefined && isFullPool(error)))) throw error
      if (isOver) servers.lost(standby)
      await sleep(pause)
    }
  }
}

/** Returns a reader that uses the standby chosen now, else the primary. */
const lookupsOver = (servers: Servers, standby: OwnReader, primary: OwnReader): OwnReader => ({
  createLoader: <const Columns extends readonly TSchema[]>(spec: LoaderSpec<Columns>): Loader<RowOf<Columns>> => {
    const [near, far] = [standby.createLoader(spec), primary.createLoader(spec)]
    return {
      load: key => persist(servers, on => (on === undefined ? far : near).load(key)),
      loadMany: keys => persist(servers, on => (on === undefined ? far : near).loadMany(keys)),
      loadAll: key => persist(servers, on => (on === undefined ? far : near).loadAll(key))
    }
  },
  connected: () => (servers.reading() === undefined ? primary : standby).connected(),
  moves: servers.moves,
  hurry: () => {
    for (const one of [standby, primary]) one.hurry()
  },
  close: async () => {
    await Promise.all([standby.close(), primary.close()])
  }
})

type ReadingConfig = PoolConfig & Readonly<{ servers: Servers; primary: Knex }>

/**
 * `owner`: the pool that a borrowed connection belongs to. `begun`: when the caller began to wait for the connection.
 */
type Loan = Readonly<{ owner?: Pick<Knex.Client, 'releaseConnection'>; begun: number }>
const loans = new WeakMap<PooledConnection, Loan>()

/**
 * The dialect for read-only statements: it uses a connection to the standby chosen now, else one borrowed from the pool
 * of the primary.
 */
class ReadingDialect extends GuardedDialect {
  declare readonly config: ReadingConfig

  override async acquireConnection(): Promise<unknown> {
    const begun = performance.now()
    return await persist(this.config.servers, async standby => await this.#connectionTo(standby, begun), begun)
  }

  async #connectionTo(standby: string | undefined, begun: number): Promise<PooledConnection> {
    const client = this.config.primary.client as Knex.Client
    const connection = (await (standby === undefined
      ? client.acquireConnection()
      : super.acquireConnection())) as PooledConnection
    loans.set(connection, standby === undefined ? { owner: client, begun } : { begun })
    return connection
  }

  override releaseConnection(connection: PooledConnection): unknown {
    const owner = loans.get(connection)?.owner
    return owner === undefined ? super.releaseConnection(connection) : owner.releaseConnection(connection)
  }

  override async query(connection: PooledConnection, query: KnexQuery): Promise<unknown> {
    // knex modifies the query object, and a modified one cannot be run again.
    const copy = (): KnexQuery => (typeof query === 'string' ? query : { ...query })
    try {
      return await super.query(connection, copy())
    } catch (error) {
      // A statement inside a transaction cannot be repeated alone.
      if (!isOfServer(error) || connection.__knexTxId !== undefined) throw error
      giveUp(connection, String(error))
      const { servers } = this.config
      // Report the server of this connection: reads may have moved to another one since it was acquired.
      const { owner, begun = performance.now() } = loans.get(connection) ?? {}
      servers.lost(owner === undefined ? placeOf(connection).name : undefined)
      return await persist(
        servers,
        async standby => {
          const other = await this.#connectionTo(standby, begun)
          try {
            return await super.query(other, copy())
          } finally {
            await this.releaseConnection(other)
          }
        },
        begun
      )
    }
  }
}

/**
 * Opens the pool for read-only statements and the reader for lookups, both on the server that `servers` chooses.
 * `primary` is the pool whose connections are borrowed.
 */
export function openReads(
  servers: Servers,
  primary: Knex,
  size: number,
  given: Omit<ReaderOptions, 'target'> & Required<Pick<ReaderOptions, 'limits'>>
): Readonly<{ reading: Knex; lookups: OwnReader }> {
  // `watchServers` logs the state of the servers, so the readers are silent.
  const readerOf = (target: Places): OwnReader => openReader({ ...given, log: silent, target })
  return {
    reading: knex({
      ...poolConfig(servers.standby, given.limits, size, given.log),
      client: ReadingDialect,
      servers,
      primary
    } as ReadingConfig),
    lookups: lookupsOver(servers, readerOf(servers.standby), readerOf(servers.primary))
  }
}
