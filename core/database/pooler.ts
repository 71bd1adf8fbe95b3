import { connect } from 'node:net'
import type { ClientBase } from 'pg'
import type { Limits, Target } from './connection.ts'

/**
 * What a client of pg knows of its connection, besides its typed members: where it went, and what cancels its
 * statements.
 */
export type Reached = Readonly<{ host: string; port: number; processID: number | null; secretKey: number | null }>

const patience = 1_000

/**
 * Asks the server, or the pooler in front of it, to cancel what a connection is doing: the CancelRequest of the
 * protocol (PostgreSQL manual, 55.2.8), on a connection of its own. It is never encrypted, and says nothing of the
 * statement. Whoever gets it ends that connection once it is passed on; PgBouncer forgets a request whose connection
 * ends before.
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
 * Runs a statement. Behind a pooler nothing can be set for a connection, so there the statement is cancelled at its
 * limit.
 */
export async function withinLimit<T>(
  client: ClientBase,
  target: Target,
  { statement }: Limits,
  run: () => Promise<T>
): Promise<T> {
  if (target.isPooled !== true || statement === undefined) return await run()
  const timer = setTimeout(() => {
    cancel(client)
  }, statement)
  try {
    return await run()
  } finally {
    clearTimeout(timer)
  }
}

/** What a pooler says of a connection that was made as for a server. */
export const isPoolerRefusal = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/.test(error.message)

/** The words of an error, and what to do where a pooler said them. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return isPoolerRefusal(error) ? `${reason}. A pooler is in between: set PANTRY_DATABASE_POOLER=transaction` : reason
}
