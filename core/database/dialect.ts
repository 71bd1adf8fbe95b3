import { Socket } from 'node:net'
import type { Knex } from 'knex'
import dialect from 'knex/lib/dialects/postgres/index.js'
import type { ClientBase, ClientConfig } from 'pg'
import { clientConfig, type ConnectionLimits, type ServerTarget } from './connection.ts'
import { codeOf, typed } from './errors.ts'
import { letIn } from './let-in.ts'
import { withinLimit } from './pooler.ts'
import { told } from './statements.ts'
import type { Writes } from './writes.ts'

/** The pool configuration, with the members that our dialects read. */
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

/** The socket of each connection that may be used; one without it is not handed out again. */
const sockets = new WeakMap<object, Socket>()

/** Destroys a connection without waiting for its running statement; the pool does not hand it out again. */
export function giveUp(connection: object): void {
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
 * The PostgreSQL dialect of knex with four additions: errors are typed (see errors.ts); nothing is written to a full
 * disk; a COMMIT that the server turns into a rollback is an error; and a connection without an answer is destroyed
 * (otherwise the pool hands out the dead connection again and again, even after the network has recovered).
 */
export class GuardedDialect extends PostgresDialect {
  declare readonly config: PoolConfig
  /** All open connections. */
  readonly #open = new Set<ClientBase>()
  #isOver = false

  /** Destroys all open connections at once, also those in use and those whose server hangs. */
  giveUpAll(): void {
    this.#isOver = true
    for (const connection of this.#open) giveUp(connection)
  }

  override async query(connection: ClientBase, query: KnexQuery): Promise<unknown> {
    const sql = typeof query === 'string' ? query : query.sql
    try {
      const { target, limits, refusal } = this.config
      const refused = refusal?.(sql)
      if (refused !== undefined) throw refused
      const answer = await told({ name: /^\s*\w*/.exec(sql)?.[0].trim().toUpperCase() ?? '', sql }, () =>
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
      if (isOver(error)) giveUp(connection)
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

  async #connect(): Promise<ClientBase> {
    const { target, limits } = this.config
    const socket = new Socket()
    // Read by knex in the same turn.
    this.connectionSettings = { ...clientConfig(target, limits), stream: () => socket } satisfies ClientConfig
    const connection = await (super.acquireRawConnection() as Promise<ClientBase>)
    sockets.set(connection, socket)
    this.#open.add(connection)
    connection.once('end', () => {
      this.#open.delete(connection)
    })
    return connection
  }

  /** Tells whether a connection may be used again; called by the pool. */
  override validateConnection(connection: ClientBase): Promise<boolean> {
    return Promise.resolve(sockets.has(connection))
  }
}
