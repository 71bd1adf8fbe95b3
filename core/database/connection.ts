import type { ClientConfig } from 'pg'
import { textTypes } from './types.ts'

/**
 * Milliseconds. `undefined` means without limit, for imports and migrations. `isPatient`: a server that has no
 * connection free is asked again, until the time to connect is over.
 */
export type ConnectionLimits = Readonly<{ connect: number; statement: number | undefined; isPatient?: true }>

/**
 * A caller is answered within two seconds: half a second for a connection, 1 s for the statement, the rest for the
 * network to say so.
 */
export const servingLimits: ConnectionLimits = { connect: 500, statement: 1_000 }
export const bulkLimits: ConnectionLimits = { connect: 5_000, statement: undefined }

/**
 * Nobody waits for the answer of a command, so a busy machine only makes it slower. A statement has a limit here as
 * well, for a server that hangs; imports and migrations have none, as in a service.
 */
export const commandLimits: ConnectionLimits = { connect: 60_000, statement: 60_000, isPatient: true }
export const commandBulkLimits: ConnectionLimits = { ...commandLimits, statement: undefined }

/**
 * Where a server is: a URL, or the socket folder of the server Pantry runs itself. `isPooled`: a pooler is in between,
 * which gives each transaction another connection of the server. Nothing that outlives a transaction is used there: no
 * named statement, no setting, no advisory lock of a session.
 */
export type ServerTarget = Readonly<
  ({ url: string } | { host: string; port: number; database: string; user: string }) & { isPooled?: true }
>

/** Where a server is, for another process. */
export const urlOf = (target: ServerTarget): string =>
  'url' in target
    ? target.url
    : `postgresql://${target.user}@${encodeURIComponent(target.host)}:${target.port}/${target.database}`

/** One of several servers, by its host and port. */
export type NamedServer = Readonly<{ name: string; target: ServerTarget }>

/**
 * Settings of one connection. The server ends a statement at its limit (behind a pooler it is asked to, see pooler.ts);
 * should it not answer at all, the client gives up shortly after.
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
