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

/** What our dialects read of the configuration of a pool. */
export type PoolConfig = Knex.Config &
  Readonly<{ places: Places; limits: ConnectionLimits; refusal?: Writes['refusal'] | undefined }>

/**
 * A client of pg as the pool holds it. The client of a pool is made by knex, so its socket and the mark by which the
 * pool drops a connection are reached through private fields: neither library has a public way to give up one
 * connection of a pool at once.
 */
export type PooledConnection = ClientBase & {
  connection: { stream: Socket }
  __knex__disposed?: unknown
  readonly __knexTxId?: string
}

/** A statement as knex hands it to its dialect. */
export type KnexQuery = string | Readonly<{ sql: string; response?: Readonly<{ command?: string }> }>

/**
 * Ends a connection that a pool or a transaction holds, without waiting for what is under way on it; the pool does not
 * hand it out again.
 */
export function giveUp(connection: object, reason: string): void {
  const pooled = connection as PooledConnection
  pooled.__knex__disposed = reason
  pooled.connection.stream.destroy()
}

/** Declarations name it by what it is, because knex has no types at its path. */
const PostgresDialect: typeof Knex.Client = dialect

const reached = new WeakMap<PooledConnection, NamedServer>()

const nowhere: NamedServer = { name: '', target: { url: '' } }

/** The server that a connection goes to. */
export const placeOf = (connection: PooledConnection): NamedServer => reached.get(connection) ?? nowhere

/** Statements that write nothing. */
const reading = new Set(['SELECT', 'BEGIN', 'START', 'SET', 'SHOW', 'ROLLBACK', undefined])

/**
 * An answer that did not come, and a server that takes writes no more: one that became a standby behind the same name.
 */
const isOver = (error: unknown): error is Error =>
  error instanceof Error && (error.message.endsWith('Query read timeout') || codeOf(error) === '25006')

/**
 * The PostgreSQL dialect of knex with five additions: errors arrive typed (see errors.ts), nothing is written to a full
 * disk, a commit that the server answers by undoing everything is an error, a connection whose answer did not come is
 * destroyed (without that the pool hands out a dead connection again and again, long after the network has healed), and
 * each connection goes to the best of several servers, as long as that is the one.
 */
export class GuardedDialect extends PostgresDialect {
  declare readonly config: PoolConfig
  /** All connections that are open. */
  readonly #open = new Set<PooledConnection>()
  #isOver = false

  /** Ends what is open at once, also what is lent and what a server that hangs does not answer. */
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
      // What a transaction does is not written before it is committed.
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

  /** Called by the pool for each new connection. */
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

  /** Called by the pool before it hands out a connection again. */
  override validateConnection(connection: PooledConnection): Promise<boolean> {
    return Promise.resolve(this.config.places.isCurrent(placeOf(connection).name))
  }
}
