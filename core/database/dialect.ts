import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import { typed } from './errors.ts'

/**
 * A client of pg as the pool holds it. The client of a pool is made by knex, so its socket and the mark by which the pool drops a connection are
 * reached through private fields: neither library has a public way to give up one connection of a pool at once.
 */
type PooledConnection = { connection: { stream: Socket }, __knex__disposed?: unknown }

/** The path that the knex manual names for dialects of one's own. */
const PostgresDialect = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js') as typeof Knex.Client

/**
 * The PostgreSQL dialect of knex with two additions: errors arrive typed (see errors.ts), and a connection whose answer did not come
 * is destroyed. Without that the pool hands out a dead connection again and again, long after the network has healed.
 */
export class GuardedDialect extends PostgresDialect {
  override async query (connection: PooledConnection, query: unknown): Promise<unknown> {
    try {
      return await (super.query(connection, query) as Promise<unknown>)
    } catch (error) {
      if (error instanceof Error && error.message.endsWith('Query read timeout')) {
        connection.__knex__disposed = error.message
        connection.connection.stream.destroy()
      }
      throw typed(error)
    }
  }

  override async acquireConnection (): Promise<unknown> {
    try {
      return await (super.acquireConnection() as Promise<unknown>)
    } catch (error) {
      throw typed(error)
    }
  }
}
