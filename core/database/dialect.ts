import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import dialect from 'knex/lib/dialects/postgres/index.js'
import type { ClientBase } from 'pg'
import { clientConfig, type ConnectionLimits, type NamedServer } from './connection.ts'
import { codeOf, noServer, typed } from './errors.ts'
import { letIn, limitsOfEach } from './let-in.ts'
import type { Places } from './places.ts'
import { withinLimit } from './pooler.ts'
import { told } from './statements.ts'
import type { Writes } from './writes.ts'

/** The pool configuration, with the members that our dialects read. */
export type PoolConfig = Knex.Config &
  Readonly<{ places: Places; limits: ConnectionLimits; refusal?: Writes['refusal'] | undefined }>

/**
 * A pg client as the pool of knex holds it. Its socket and the mark that makes the pool drop it are private: neither
 * library has a public way to drop one connection of a pool at once.
 */
export type PooledConnection = ClientBase & {
  connection: { stream: Socket }
  __knex__disposed?: unknown
  readonly __knexTxId?: string
}

/** A statement as knex passes it to the dialect. */
export type KnexQuery = string | Readonly<{ sql: string; response?: Readonly<{ command?: string }> }>

/** Destroys a connection without waiting for its running statement; the pool does not hand it out again. */
export function giveUp(connection: object, reason: string): void {
  const pooled = connection as PooledConnection
  pooled.__knex__disposed = reason
  pooled.connection.stream.destroy()
}

/** The explicit type is needed because knex has no types at this path. */
const PostgresDialect: typeof Knex.Client = dialect

const reached = new WeakMap<PooledConnection, NamedServer>()

const nowhere: NamedServer = { name: '', target: { url: '' } }

/** Returns the server of a connection. */
export const placeOf = (connection: PooledConnection): NamedServer => reached.get(connection) ?? nowhere

/** Command tags of statements that write nothing. */
const reading = new Set(['SELECT', 'BEGIN', 'START', 'SET', 'SHOW', 'ROLLBACK', undefined])

/**
 * Tells whether a connection is useless after an error: it got no answer, or its server accepts no writes any more (a
 * primary that became a standby under the same name).
 */
const isOver = (error: unknown): error is Error =>
  error instanceof Error && (error.message.endsWith('Query read timeout') || codeOf(error) === '25006')

/**
 * The PostgreSQL dialect of knex with five additions: errors are typed (see errors.ts); nothing is written to a full
 * disk; a COMMIT that the server turns into a rollback is an error; a connection without an answer is destroyed
 * (otherwise the pool hands out the dead connection again and again, even after the network has recovered); and each
 * connection goes to the best of several servers, as long as that does not change.
 */
export class GuardedDialect extends PostgresDialect {
  declare readonly config: PoolConfig
  /** All open connections. */
  readonly #open = new Set<PooledConnection>()
  #isOver = false

  /** Destroys all open connections at once, also those in use and those whose server hangs. */
  giveUpAll(reason: string): void {
    this.#isOver = true
    for (const connection of this.#open) giveUp(connection, reason)
  }

  override async query(connection: PooledConnection, query: KnexQuery): Promise<unknown> {
    const sql = typeof query === 'string' ? query : query.sql
    try {
      const {
        places: { wrote },
        limits,
        refusal
      } = this.config
      const refused = refusal?.(sql)
      if (refused !== undefined) throw refused
      const { target } = placeOf(connection)
      const answer = await told({ name: /^\s*\w*/.exec(sql)?.[0].trim().toUpperCase() ?? '', sql }, () =>
        withinLimit(
          connection,
          target,
          limits,
          () => super.query(connection, query) as Promise<Exclude<KnexQuery, string>>
        )
      )
      // The writes of a transaction count only when it is committed.
      if (
        wrote !== undefined &&
        (connection.__knexTxId === undefined || answer.response?.command === 'COMMIT') &&
        !reading.has(answer.response?.command)
      )
        wrote()
      if (answer.response?.command === 'ROLLBACK' && /^\s*commit/i.test(sql))
        throw new Error('The transaction was undone, because a statement in it had failed.')
      return answer
    } catch (error) {
      if (isOver(error)) giveUp(connection, error.message)
      throw typed(error)
    }
  }

  override async acquireConnection(): Promise<unknown> {
    try {
      return await (super.acquireConnection() as Promise<unknown>)
    } catch (error) {
      throw typed(error)
    }
  }

  /** Opens a connection; called by the pool. */
  override async acquireRawConnection(): Promise<unknown> {
    return await letIn(
      this.config.limits,
      () => this.#connect(),
      () => this.#isOver
    )
  }

  async #connect(): Promise<PooledConnection> {
    const { places, limits } = this.config
    let failure: unknown = noServer('No server is known that could be asked.')
    const order = places.inOrder()
    for (const place of order) {
      let connection: PooledConnection | undefined
      try {
        // Read by knex in the same turn.
        this.connectionSettings = clientConfig(place.target, limitsOfEach(limits, order.length))
        connection = await (super.acquireRawConnection() as Promise<PooledConnection>)
        reached.set(connection, place)
        const made = connection
        this.#open.add(made)
        made.once('end', () => {
          this.#open.delete(made)
        })
        if ((await places.suits?.(connection)) === false)
          throw noServer(`${place.name} is not the server that is wanted.`)
        return connection
      } catch (error) {
        failure = error
        if (connection !== undefined) giveUp(connection, String(error))
      }
    }
    throw failure
  }

  /** Tells whether a connection may be used again; called by the pool. */
  override validateConnection(connection: PooledConnection): Promise<boolean> {
    return Promise.resolve(this.config.places.isCurrent(placeOf(connection).name))
  }
}
