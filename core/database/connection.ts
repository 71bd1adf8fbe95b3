import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type ClientBase, type ClientConfig, type CustomTypesConfig } from 'pg'
import { connectInWays } from './encryption.ts'
import { hasNoRoom } from './errors.ts'
import { parseExactly } from './exact-json.ts'

/** A log for operators, with one line for each message. A logger of pino can be given. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (message: string) => void>>

/** A log that drops all messages, for callers that report in another way. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

type Parse = (text: string) => unknown

/** Returns the driver's own parser for a type, by OID (catalogue `pg_type`) and wire format. */
const driverParser = (...type: Parameters<typeof pg.types.getTypeParser>): Parse =>
  pg.types.getTypeParser(...type) as Parse

const { INT8: int8, DATE: date, TIMESTAMPTZ: timestamptz, JSON: json, JSONB: jsonb } = pg.types.builtins

const parsers = new Map<number, Parse>([
  [int8, text => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
  [date, text => text],
  [json, parseExactly],
  [jsonb, parseExactly],
  [
    timestamptz,
    text => {
      const value = driverParser(timestamptz)(text)
      return value instanceof Date ? value.toISOString() : text
    }
  ]
])

/**
 * Converts column values to JavaScript values: `bigint`, and an integer in JSON, to a number if that is exact, else a
 * string; `date` to its
 * text; `timestamptz` to ISO 8601 in UTC with milliseconds (`infinity` to its text). Other types are converted as the
 * driver does.
 */
const textTypes: CustomTypesConfig = {
  getTypeParser: (oid, format): Parse =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? driverParser(oid, format)
}

/**
 * Time limits in milliseconds, for connecting and for a statement (`undefined`: no limit, for imports and migrations).
 * `idle`: how long a transaction may run no statement; `held`: how long a connection may be in use. `isPatient`: if a
 * server has no connection free, it is asked again until the time to connect is over.
 */
export type ConnectionLimits = Readonly<{
  connect: number
  statement: number | undefined
  idle?: number
  held?: number
  isPatient?: true
}>

/**
 * Limits for requests, so that a caller is answered within two seconds: 0.5 s for the connection, 1 s for the
 * statement, the rest for the network. A transaction that code has forgotten ends after ten seconds; a connection comes
 * back after a minute, longer than any answer may take.
 */
export const servingLimits: ConnectionLimits = { connect: 500, statement: 1_000, idle: 10_000, held: 60_000 }
export const bulkLimits: ConnectionLimits = { connect: 5_000, statement: undefined }

/**
 * Limits for commands. Nobody waits for their answer, so they may take longer on a busy machine; a statement still has
 * a limit, for a server that hangs.
 */
export const commandLimits: ConnectionLimits = { connect: 60_000, statement: 60_000, isPatient: true }
export const commandBulkLimits: ConnectionLimits = { ...commandLimits, statement: undefined }

/**
 * Where a server is: a URL, or the socket folder of the server that Pantry runs itself. `isPooled`: a pooler is in
 * between that may use another server connection for each transaction, so nothing that outlives a transaction is used:
 * no named statement, no setting, no advisory lock of a session. `isService`: its connections are those of a service,
 * which other processes tell by their name.
 */
export type ServerTarget = Readonly<
  ({ url: string } | { host: string; port: number; database: string; user: string }) & {
    isPooled?: true
    isService?: true
  }
>

/** The name of connections of a service, as the server lists them. */
export const serviceName = 'pantry service'

/**
 * Settings of a connection to the embedded server that `pg` would take from PGOPTIONS, PGREPLICATION and
 * PGSSLNEGOTIATION, which are meant for another server. They are not empty, because `pg` takes an empty one for none.
 */
const own = { options: ' ', replication: 'false', sslnegotiation: 'postgres' } as const

/** Returns the address of a server as a URL, for another process. */
export const addressOf = (target: ServerTarget): string =>
  'url' in target
    ? target.url
    : `postgresql://${target.user}@${encodeURIComponent(target.host)}:${target.port}/${target.database}?sslmode=disable&options=%20&replication=false&sslnegotiation=postgres`

/** The servers that an operator has configured, and the pooler in front of them. */
export type ServerNames = Readonly<{
  /** URL of a PostgreSQL server (14 or later) that can be written to. */
  url?: string | undefined
  /** URL of a read-only server with the same data. */
  readUrl?: string | undefined
  /** `transaction` if a pooler is in between that may use another server connection for each transaction. */
  pooler?: 'transaction' | undefined
}>

/** Returns the target for a URL, and for the configured pooler in front of that server. */
export const targetOf = (url: string, { pooler }: Pick<ServerNames, 'pooler'> = {}): ServerTarget =>
  pooler === undefined ? { url } : { url, isPooled: true }

/**
 * Returns the pg settings of a connection. The server cancels a statement at its limit (behind a pooler, `withinLimit`
 * requests that); if there is still no answer, the client gives up 0.2 s later (behind a pooler 0.4 s).
 */
export function clientConfig({ isPooled, isService, ...target }: ServerTarget, limits: ConnectionLimits): ClientConfig {
  return {
    ...('url' in target ? { connectionString: target.url } : { ...target, ...own, ssl: false }),
    application_name: isService === true ? serviceName : 'pantry',
    keepAlive: true,
    connectionTimeoutMillis: limits.connect,
    types: textTypes,
    ...(limits.statement === undefined
      ? {}
      : {
          ...(isPooled === true
            ? {}
            : { statement_timeout: limits.statement, idle_in_transaction_session_timeout: limits.idle }),
          query_timeout: limits.statement + (isPooled === true ? 400 : 200)
        })
  }
}

/**
 * Makes a connection with the pg settings of a target, in the ways that its URL allows (`sslmode`): `connect` may be
 * called twice.
 */
export async function connectTo<T>(
  target: ServerTarget,
  limits: ConnectionLimits,
  connect: (config: ClientConfig) => Promise<T>
): Promise<T> {
  const config = clientConfig(target, limits)
  return 'url' in target
    ? await connectInWays(target.url, way => connect({ ...config, ...way }))
    : await connect(config)
}

/** Connects a client, which its user ends. */
export const connectClient = (target: ServerTarget, limits: ConnectionLimits): Promise<pg.Client> =>
  connectTo(target, limits, async config => {
    const client = new pg.Client(config).on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
  })

/** Milliseconds between two attempts to connect. */
const pause = 100

/**
 * Whether to try to connect again after this error: `limits` are patient, the server has no connection free, and the
 * time to connect is not over. `begun`: the time of the first attempt, by `performance.now()`.
 */
export const canRetryConnect = ({ isPatient, connect }: ConnectionLimits, error: unknown, begun: number): boolean =>
  isPatient === true && hasNoRoom(error) && performance.now() - begun < connect

/**
 * Connects. If `limits` are patient, tries again while the server has no connection free and `isOver` does not return
 * true.
 */
export async function connectWithRetry<T>(
  limits: ConnectionLimits,
  connect: () => Promise<T>,
  isOver?: () => boolean
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (isOver?.() === true || !canRetryConnect(limits, error, begun)) throw error
      await sleep(pause)
    }
  }
}

/**
 * Members of a connected pg client that its types lack: where it is connected, and the ids that cancel its statements.
 */
export type Reached = Readonly<{ host: string; port: number; processID: number | null; secretKey: number | null }>

const patience = 1_000

/**
 * Asks the server, or the pooler in front of it, to cancel the running statement of a connection: a CancelRequest
 * (PostgreSQL manual, 55.2.8) on a separate connection, unencrypted and without anything of the statement. The receiver
 * closes that connection after forwarding the request; PgBouncer drops the request if we close it earlier.
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
 * Runs a statement. Behind a pooler, where no time limit can be set for a connection, this process requests the
 * cancellation of the statement at its limit.
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
    // If a commit is cancelled while it waits for a synchronous standby, it succeeds although no standby has it
    // (PostgreSQL manual, 26.2.8.1): it must not be acknowledged.
    if (isCancelled) throw new Error('Query read timeout')
    return answer
  } finally {
    clearTimeout(timer)
  }
}

/** Tells whether an error is a pooler's refusal of startup parameters that only a server accepts. */
export const isPoolerRefusal = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/.test(error.message)

/** Returns the message of an error, with advice if a pooler has refused the connection. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return isPoolerRefusal(error) ? `${reason}. A pooler is in between: set PANTRY_DATABASE_POOLER=transaction` : reason
}
