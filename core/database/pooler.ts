import { connect } from 'node:net'
import type { ClientBase } from 'pg'
import type { ConnectionLimits, ServerTarget } from './connection.ts'

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
  const timer = setTimeout(() => {
    cancel(client)
  }, statement)
  try {
    return await run()
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
