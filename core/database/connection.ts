import type { ClientConfig } from 'pg'
import { textTypes } from './types.ts'

/** Limits in milliseconds. `undefined` means no limit, for imports and migrations. */
export type ConnectionLimits = Readonly<{ connect: number; statement: number | undefined }>

/**
 * Limits for requests, so that a caller is answered within two seconds: 0.5 s for the connection, 1 s for the
 * statement, the rest for the network.
 */
export const servingLimits: ConnectionLimits = { connect: 500, statement: 1_000 }
export const bulkLimits: ConnectionLimits = { connect: 5_000, statement: undefined }

/**
 * The address of a server: a URL, or the socket folder of the embedded server. `isPooled`: a connection pooler is in
 * between, which may use another server connection for each transaction. Then nothing is used that outlives a
 * transaction: no named statements, no settings, no session-level advisory locks.
 */
export type ServerTarget = Readonly<
  ({ url: string } | { host: string; port: number; database: string; user: string }) & { isPooled?: true }
>

/** Returns the address of a server as a URL, for another process. */
export const urlOf = (target: ServerTarget): string =>
  'url' in target
    ? target.url
    : `postgresql://${target.user}@${encodeURIComponent(target.host)}:${target.port}/${target.database}`

/** One of several servers; its name is its host and port. */
export type NamedServer = Readonly<{ name: string; target: ServerTarget }>

/**
 * Returns the pg settings of a connection. The server cancels a statement at its limit (behind a pooler, `pooler.ts`
 * requests it); if the server does not react at all, the client gives up 0.2 s later (behind a pooler 0.4 s).
 */
export function clientConfig({ isPooled, ...target }: ServerTarget, limits: ConnectionLimits): ClientConfig {
  return {
    ...('url' in target ? { connectionString: target.url } : { ...target, ssl: false }),
    application_name: 'pantry',
    keepAlive: true,
    connectionTimeoutMillis: limits.connect,
    types: textTypes,
    ...(limits.statement === undefined
      ? {}
      : {
          ...(isPooled === true ? {} : { statement_timeout: limits.statement }),
          query_timeout: limits.statement + (isPooled === true ? 400 : 200)
        })
  }
}
