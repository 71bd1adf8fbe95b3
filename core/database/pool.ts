import knex, { type Knex } from 'knex'
import type { ConnectionLimits, ServerTarget } from './connection.ts'
import { GuardedDialect, type PoolConfig } from './dialect.ts'
import type { Log } from './log.ts'
import type { Writes } from './writes.ts'

/**
 * Opens a knex instance with a small pool. It opens connections on demand, and a caller waits at most `limits.connect`
 * for one.
 */
export const openPool = (
  target: ServerTarget,
  limits: ConnectionLimits,
  size: number,
  log: Log,
  refusal?: Writes['refusal']
): Knex => knex({ ...poolConfig(target, limits, size, log), refusal } as PoolConfig)

export function poolConfig(target: ServerTarget, limits: ConnectionLimits, size: number, log: Log): PoolConfig {
  return {
    client: GuardedDialect,
    target,
    limits,
    compileSqlOnError: false,
    acquireConnectionTimeout: limits.connect,
    // Pools for requests keep two connections open: a server with a full disk may be unable to accept a new one.
    pool: {
      min: limits.statement === undefined ? 0 : Math.min(size, 2),
      max: size,
      createTimeoutMillis: limits.connect,
      destroyTimeoutMillis: 1_000,
      idleTimeoutMillis: 30_000,
      propagateCreateError: true
    },
    // The dialect makes the settings of each connection, but knex creates no pool without this object.
    connection: {},
    log: {
      // A lost connection is reported to the caller as a typed error, and in health; a line for each request would
      // flood the log.
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
