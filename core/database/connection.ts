import type { ClientConfig } from 'pg'
import { urlOf } from '../canonical/url.ts'
import { textTypes } from './types.ts'

/**
 * Milliseconds. `undefined` means without limit, for imports and migrations. `isPatient`: a server that has no
 * connection free is asked again, until the time to connect is over.
 */
export type ConnectionLimits = Readonly<{ connect: number; statement: number | undefined; isPatient?: true }>

/**
 * Limits for requests, so that a caller is answered within two seconds: 0.5 s for the connection, 1 s for the
 * statement, the rest for the network.
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

/** Returns the address of a server as a URL, for another process. */
export const addressOf = (target: ServerTarget): string =>
  'url' in target
    ? target.url
    : `postgresql://${target.user}@${encodeURIComponent(target.host)}:${target.port}/${target.database}`

/** The servers that an operator has configured, and the pooler in front of them. */
export type ServerNames = Readonly<{
  /** URL of a PostgreSQL server (14 or later) that can be written to. */
  url?: string | undefined
  /** URL of a server with the same data that is only read. */
  readUrl?: string | undefined
  /** `transaction` if a pooler is in between that may use another server connection for each transaction. */
  pooler?: 'transaction' | undefined
}>

/** Returns where the server of a URL is. */
export const targetOf = (url: string, { pooler }: Pick<ServerNames, 'pooler'> = {}): ServerTarget =>
  pooler === undefined ? { url } : { url, isPooled: true }

/**
 * Returns what is wrong with the URL of a server, as the end of a sentence; undefined if nothing is. It never has the
 * URL in it, because of its password. libpq would take several hosts (PostgreSQL manual, 34.1.1.3); `pg` takes one.
 */
export function wrongUrl(url: string): string | undefined {
  const authority = /^postgres(?:ql)?:\/\/([^/?]*)/.exec(url)?.[1]
  if (authority === undefined) return 'must start with postgres:// or postgresql://'
  const parsed = urlOf(url)
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), ...(parsed?.searchParams.getAll('host') ?? [])]
  if (hosts.some(one => one.includes(',')))
    return 'must name one server, but names several. Put HAProxy, PgBouncer or another router in front of them, and name its address'
  return parsed === undefined ? 'is not a valid URL' : undefined
}

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
