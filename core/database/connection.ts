import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type ClientBase, type ClientConfig, type CustomTypesConfig } from 'pg'
import { hasNoRoom } from './errors.ts'

/** A log for operators, one line for each message. A pino logger fits. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (message: string) => void>>

/** A log that drops everything, for callers that report in another way. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

type Parse = (text: string) => unknown

/** Returns the driver's own parser, by type OID (catalogue `pg_type`) and wire format. */
const driverParser = (...type: Parameters<typeof pg.types.getTypeParser>): Parse =>
  pg.types.getTypeParser(...type) as Parse

const { INT8: int8, DATE: date, TIMESTAMPTZ: timestamptz } = pg.types.builtins

const parsers = new Map<number, Parse>([
  [int8, text => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
  [date, text => text],
  [
    timestamptz,
    text => {
      const value = driverParser(timestamptz)(text)
      return value instanceof Date ? value.toISOString() : text
    }
  ]
])

/**
 * How column values become JavaScript values: `bigint` a number if that is exact, else a string; `date` its text;
 * `timestamptz` ISO 8601 in UTC with milliseconds. Other types as the driver parses them.
 */
const textTypes: CustomTypesConfig = {
  getTypeParser: (oid, format): Parse =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? driverParser(oid, format)
}

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
 * Returns the pg settings of a connection. The server cancels a statement at its limit (behind a pooler,
 * `connection.ts` requests it); if the server does not react at all, the client gives up 0.2 s later (behind a pooler
 * 0.4 s).
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

/** Milliseconds between two attempts. */
const pause = 100

/** Whether to ask again after this error, where the first attempt began at `begun`. */
export const mayAskAgain = ({ isPatient, connect }: ConnectionLimits, error: unknown, begun: number): boolean =>
  isPatient === true && hasNoRoom(error) && performance.now() - begun < connect

/** Connects. With patience, again and again while the server has no connection free and nothing `isOver`. */
export async function letIn<T>(
  limits: ConnectionLimits,
  connect: () => Promise<T>,
  isOver?: () => boolean
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (isOver?.() === true || !mayAskAgain(limits, error, begun)) throw error
      await sleep(pause)
    }
  }
}

/** Undeclared members of a pg client: where it is connected, and the key that cancels its statements. */
export type Reached = Readonly<{ host: string; port: number; processID: number | null; secretKey: number | null }>

const patience = 1_000

/**
 * Asks the server, or the pooler in front of it, to cancel the running statement of a connection: a CancelRequest
 * (PostgreSQL manual, 55.2.8) on a separate connection. It is unencrypted and contains nothing of the statement. The
 * receiver closes that connection after forwarding the request; PgBouncer drops the request if we close it earlier.
 */
function cancel(client: ClientBase): void {
  const { host, port, processID, secretKey } = client as ClientBase & Reached
  const request = Buffer.alloc(16)
  for (const [at, value] of [16, 80_877_102, processID ?? 0, secretKey ?? 0].entries())
    request.writeInt32BE(value, at * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket
    .setTimeout(patience, () => {
      socket.destroy()
    })
    .on('error', () => undefined)
    .resume()
    .write(request)
}

/**
 * Runs a statement. Behind a pooler no time limit can be set for a connection, so the statement is cancelled from here
 * at its limit.
 */
export async function withinLimit<T>(
  client: ClientBase,
  target: ServerTarget,
  { statement }: ConnectionLimits,
  run: () => Promise<T>
): Promise<T> {
  if (target.isPooled !== true || statement === undefined) return await run()
  let isCancelled = false as boolean
  const timer = setTimeout(() => {
    isCancelled = true
    cancel(client)
  }, statement)
  try {
    const answer = await run()
    // A commit that is cancelled while it waits for a synchronous standby succeeds, and no standby has it (PostgreSQL
    // manual, 26.2.8.1): it must not be acknowledged.
    if (isCancelled) throw new Error('Query read timeout')
    return answer
  } finally {
    clearTimeout(timer)
  }
}

/** Tells whether an error is a pooler's refusal of startup parameters that only a server accepts. */
export const isPoolerRefusal = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/.test(error.message)

/** Returns the message of an error, with advice if it comes from a pooler. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return isPoolerRefusal(error) ? `${reason}. A pooler is in between: set PANTRY_DATABASE_POOLER=transaction` : reason
}
