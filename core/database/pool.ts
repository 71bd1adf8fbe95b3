import knex, { type Knex } from 'knex'
import { clientConfig, type Limits, type Target } from './connection.ts'
import { GuardedDialect } from './dialect.ts'
import type { Log } from './log.ts'

/** A knex instance over a small pool that opens connections when they are needed and gives up waiting after `limits.connect`. */
export function openPool (target: Target, limits: Limits, size: number, log: Log): Knex {
  return knex({
    client: GuardedDialect,
    connection: clientConfig(target, limits) as Knex.PgConnectionConfig,
    compileSqlOnError: false,
    acquireConnectionTimeout: limits.connect,
    pool: { min: 0, max: size, createTimeoutMillis: limits.connect, destroyTimeoutMillis: 1_000, idleTimeoutMillis: 30_000, propagateCreateError: true },
    log: {
      // A lost connection is a typed error for whoever asked, and is seen in health; one more line for each request would bury the log.
      warn: () => undefined,
      debug: () => undefined,
      deprecate: (method: string, alternative: string) => { log.warn(`knex: ${method} is deprecated, use ${alternative}`) },
      error: (message: unknown) => { log.error(String(message)) }
    }
  })
}
