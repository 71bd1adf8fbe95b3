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

/** Milliseconds after which a read that failed is not tried again, and the pause before it is. */
const patience = 1_500
const pause = 25

/**
 * Reads where the servers say that reads go, and again elsewhere while the fault is the server's. `read` is told the
 * standby; undefined is the primary. A statement that took too long or is wrong is not asked again. `begun`: since when
 * whoever asks has waited.
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
      // Whether a standby hangs is found by those who watch it; until then, others wait.
      if (performance.now() - begun > patience || !(isOver || (standby !== undefined && isFullPool(error)))) throw error
      if (isOver) servers.lost(standby)
      await sleep(pause)
    }
  }
}

/** Lookups on the standby of the moment, else on the primary. */
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

/** Whose pool a connection is of, where it is lent, and since when it was waited for. */
type Loan = Readonly<{ owner?: Pick<Knex.Client, 'releaseConnection'>; begun: number }>
const loans = new WeakMap<PooledConnection, Loan>()

/**
 * Statements that only read: on a connection to the standby of the moment, else on one that is lent by the pool of the
 * primary.
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
    // knex writes into the query, and what it wrote does not bear being read again.
    const copy = (): KnexQuery => (typeof query === 'string' ? query : { ...query })
    try {
      return await super.query(connection, copy())
    } catch (error) {
      // The statements of a transaction belong together.
      if (!isOfServer(error) || connection.__knexTxId !== undefined) throw error
      giveUp(connection, String(error))
      const { servers } = this.config
      // Reads may have gone on to another one since this connection was lent.
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
 * What reads where the servers say: statements that only read, through knex, and lookups. `primary` is the pool that
 * lends its connections.
 */
export function openReads(
  servers: Servers,
  primary: Knex,
  size: number,
  given: Omit<ReaderOptions, 'target'> & Required<Pick<ReaderOptions, 'limits'>>
): Readonly<{ reading: Knex; lookups: OwnReader }> {
  // What becomes of each server is said by who watches them.
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
