import { tracingChannel } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import knex, { type Knex } from 'knex'
import dialect from 'knex/lib/dialects/postgres/index.js'
import type { ClientBase, ClientConfig } from 'pg'
import {
  connectTo,
  connectWithRetry,
  withinLimit,
  type ConnectionLimits,
  type Log,
  type ServerTarget
} from './connection.ts'
import { codeOf, poolExhausted, toSurfaceError } from './errors.ts'
import type { Writes } from './writes.ts'

/**
 * A statement as it is published, without its parameter values. A batched lookup is published once for each request
 * that waits for it.
 */
export type Statement = Readonly<{ name: string; sql?: string | undefined }>

/**
 * The tracing channel of Node's `diagnostics_channel` on which the beginning and the end of each statement are
 * published.
 */
export const statements = tracingChannel<'pantry.database.statement', Statement>('pantry.database.statement')

/** Runs a statement and publishes its beginning and end. Costs nothing without subscribers. */
export const traceStatement = <T>(statement: Statement, run: () => Promise<T>): Promise<T> =>
  statements.start.hasSubscribers ? statements.tracePromise(run, statement) : run()

/** The knex configuration of a pool, with the members that our dialects read. */
export type PoolConfig = Knex.Config &
  Readonly<{ target: ServerTarget; limits: ConnectionLimits; refusal?: Writes['refusal'] | undefined }>

/** A statement as knex passes it to the dialect, and what the server answered. */
export type KnexQuery =
  | string
  | Readonly<{
      sql: string
      bindings?: readonly unknown[]
      options?: Readonly<{ rowMode: 'array' }>
      response?: Readonly<{ command?: string; rows: readonly unknown[] }>
    }>

/** The socket of each connection that may be used. A connection without a socket here is not handed out again. */
const sockets = new WeakMap<object, Socket>()

/** Destroys a connection without waiting for its running statement; the pool does not hand it out again. */
export function destroyConnection(connection: object): void {
  sockets.get(connection)?.destroy()
  sockets.delete(connection)
}

/** The explicit type is needed because knex has no types at this path. */
const PostgresDialect: typeof Knex.Client = dialect

/**
 * Tells whether a connection is useless after an error: it got no answer, or its server accepts no writes any more (a
 * primary that became a standby behind the same address).
 */
const isOver = (error: unknown): error is Error =>
  error instanceof Error && (error.message.endsWith('Query read timeout') || codeOf(error) === '25006')

/**
 * The PostgreSQL dialect of knex with additions: errors are typed (see errors.ts); statements are published; no write
 * is sent while the disk is known to be full; a COMMIT that the server turns into a rollback is an error; and a
 * connection that is useless (see `isOver`) is destroyed (otherwise the pool hands out the dead connection again and
 * again, even after the network has recovered).
 */
export class GuardedDialect extends PostgresDialect {
  declare readonly config: PoolConfig
  readonly #open = new Set<ClientBase>()
  /** The connections in use, each with the timer that takes it back. */
  readonly #held = new Map<object, NodeJS.Timeout | undefined>()
  readonly #sessions = new Set<GuardedDialect>()
  #isOver = false

  /** Number of connections in use. */
  get inUse(): number {
    return this.#held.size
  }

  /**
   * Destroys all open connections at once, also those in use and those whose server hangs, and stops further attempts
   * to connect.
   */
  giveUpAll(): void {
    this.#isOver = true
    for (const connection of this.#open) destroyConnection(connection)
    for (const session of this.#sessions) session.giveUpAll()
  }

  /** Gives up a session of this pool together with it. */
  join(session: GuardedDialect): void {
    this.#sessions.add(session)
  }

  override async query(connection: ClientBase, query: KnexQuery): Promise<unknown> {
    const sql = typeof query === 'string' ? query : query.sql
    try {
      const { target, limits, refusal } = this.config
      const refused = refusal?.(sql)
      if (refused !== undefined) throw refused
      const answer = await traceStatement({ name: /^\s*\w*/.exec(sql)?.[0].trim().toUpperCase() ?? '', sql }, () =>
        withinLimit(
          connection,
          target,
          limits,
          () => super.query(connection, query) as Promise<Exclude<KnexQuery, string>>
        )
      )
      if (answer.response?.command === 'ROLLBACK' && /^\s*commit/i.test(sql))
        throw new Error('The transaction was undone, because a statement in it had failed.')
      return answer
    } catch (error) {
      if (isOver(error)) destroyConnection(connection)
      throw toSurfaceError(error)
    }
  }

  override async acquireConnection(): Promise<unknown> {
    try {
      const connection = (await super.acquireConnection()) as object
      this.#held.set(connection, this.#takeBackLater(connection))
      return connection
    } catch (error) {
      throw toSurfaceError(error instanceof knex.KnexTimeoutError ? this.#noConnection() : error)
    }
  }

  /** What the pool of knex calls a timeout: all connections are in use, or the server opens none. */
  #noConnection(): Error {
    const { limits, pool: { max = 0 } = {} } = this.config
    const time = `within ${limits.connect / 1000} s`
    return this.inUse < max
      ? Object.assign(new Error(`no connection was opened ${time}`), { code: 'ETIMEDOUT' })
      : poolExhausted(`none of ${max} became free ${time}`)
  }

  override releaseConnection(connection: object): unknown {
    clearTimeout(this.#held.get(connection))
    this.#held.delete(connection)
    return super.releaseConnection(connection)
  }

  /** Destroys a connection that is not released within its limit, and gives its place to others. */
  #takeBackLater(connection: object): NodeJS.Timeout | undefined {
    const { held } = this.config.limits
    return held === undefined
      ? undefined
      : setTimeout(() => {
          this.config.log?.error?.(
            `Code has kept a connection to the database for ${held / 1000} s. It is closed, and what was not committed is undone.`
          )
          destroyConnection(connection)
          this.releaseConnection(connection)
        }, held).unref()
  }

  /** Opens a connection; called by the pool. */
  override async acquireRawConnection(): Promise<unknown> {
    return await connectWithRetry(
      this.config.limits,
      () => this.#connect(),
      () => this.#isOver
    )
  }

  async #connect(): Promise<ClientBase> {
    return await connectTo(this.config.target, this.config.limits, config => this.#connectWith(config))
  }

  async #connectWith(config: ClientConfig): Promise<ClientBase> {
    const socket = new Socket()
    // knex reads these settings in the same turn of the event loop, before another call can replace them.
    this.connectionSettings = { ...config, stream: () => socket } satisfies ClientConfig
    const connection = await (super.acquireRawConnection() as Promise<ClientBase>)
    sockets.set(connection, socket)
    this.#open.add(connection)
    connection.once('end', () => {
      this.#open.delete(connection)
      // The server has closed it. Code may have forgotten it, so it is no longer in use.
      sockets.delete(connection)
      if (this.#held.has(connection)) this.releaseConnection(connection)
    })
    return connection
  }

  /** Tells whether a connection may be used again; called by the pool. */
  override validateConnection(connection: ClientBase): Promise<boolean> {
    return Promise.resolve(sockets.has(connection))
  }
}

/**
 * Opens a knex instance with a pool of at most `size` connections. It opens connections on demand, and a caller waits
 * at most `limits.connect` for one.
 */
export const openPool = (
  target: ServerTarget,
  limits: ConnectionLimits,
  size: number,
  log: Log,
  refusal?: Writes['refusal']
): Knex => knex({ ...poolConfig(target, limits, size, log), refusal } as PoolConfig)

/**
 * Opens a single connection to the server of a pool, for work that must not share its session. It is given up with the
 * pool, and its user destroys it.
 */
export function openSession(pool: Knex): Knex {
  const dialect = pool.client as GuardedDialect
  const session = knex({ ...dialect.config, pool: { ...dialect.config.pool, min: 1, max: 1 } } as PoolConfig)
  session.userParams = pool.userParams
  dialect.join(session.client as GuardedDialect)
  return session
}

export function poolConfig(target: ServerTarget, limits: ConnectionLimits, size: number, log: Log): PoolConfig {
  return {
    client: GuardedDialect,
    target,
    limits,
    compileSqlOnError: false,
    acquireConnectionTimeout: limits.connect,
    // Pools for requests keep two opened connections when idle: a server with a full disk may be unable to accept a new
    // one.
    pool: {
      min: limits.statement === undefined ? 0 : Math.min(size, 2),
      max: size,
      createTimeoutMillis: limits.connect,
      destroyTimeoutMillis: 1_000,
      idleTimeoutMillis: 30_000,
      propagateCreateError: true
    },
    // The dialect makes the settings of each connection, but knex creates no pool without an object here.
    connection: {},
    log: {
      // Warnings of knex are dropped: callers get a lost connection as a typed error, and `health` reports it. A line
      // for each request would flood the log.
      warn: () => undefined,
      debug: () => undefined,
      deprecate: (method: string, alternative: string) => {
        log.warn(`knex: ${method} is deprecated, use ${alternative}`)
      },
      error: (message: unknown) => {
        log.error(String(message))
      }
    }
  }
}
