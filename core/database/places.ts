import type { ClientBase } from 'pg'
import type { NamedServer, ServerTarget } from './connection.ts'

/** The servers that connections for one purpose may use. */
export type Places = Readonly<{
  /** Returns the servers to try for a new connection, best first; may be empty while none is known. */
  inOrder: () => readonly NamedServer[]
  /** Queries whether a server is the right one, after connecting; absent if there is no choice. */
  suits?: (client: ClientBase) => Promise<boolean>
  /** Tells whether an open connection to this server may still be used. */
  isCurrent: (name: string) => boolean
  /** Called after every write. */
  wrote?: () => void
}>

/** One server, or the servers to choose from. */
export type To = ServerTarget | Places

/** Returns `to` as places. A single server needs no choice, query or change, so it costs nothing. */
export const placesOf = (to: To): Places =>
  'inOrder' in to ? to : { inOrder: () => [{ name: '', target: to }], isCurrent: () => true }
