import knex, { type Knex } from 'knex'
import type { Limits } from './connection.ts'
import { GuardedDialect, type PoolConfig } from './dialect.ts'
import type { Log } from './log.ts'
import { placesOf, type To } from './places.ts'
import type { Writes } from './writes.ts'

/**
 * A knex instance over a small pool that opens connections when they are needed and gives up waiting after
 * `limits.connect`.
 */
export const openPool = (to: To, limits: Limits, size: number, log: Log, refusal?: Writes['refusal']): Knex =>
  knex({ ...poolConfig(to, limits, size, log), refusal } as PoolConfig)

export function poolConfig(to: To, limits: Limits, size: number, log: Log): PoolConfig {
  return {
    client: GuardedDialect,
    places: placesOf(to),
    limits,
    compileSqlOnError: false,
    acquireConnectionTimeout: limits.connect,
    // Where requests are served two stay open: a server whose disk is full may be unable to take a new one.
    pool: {
      min: limits.statement === undefined ? 0 : Math.min(size, 2),
      max: size,
      createTimeoutMillis: limits.connect,
      destroyTimeoutMillis: 1_000,
      idleTimeoutMillis: 30_000,
      propagateCreateError: true
    },
    // The dialect chooses the server of each connection; knex makes no pool without one.
    connection: {},
    log: {
      // A lost connection is a typed error for whoever asked, and is seen in health; one more line for each request
      // would bury the log.
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
