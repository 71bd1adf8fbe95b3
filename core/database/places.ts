import type { ClientBase } from 'pg'
import type { Named, Target } from './connection.ts'

/** The servers that connections of one purpose may go to. */
export type Places = Readonly<{
  /** Those to try for a new connection, best first. May be empty while none is known. */
  inOrder: () => readonly Named[]
  /** Asks a server that has let us in whether it is the right one; absent where there is nothing to choose. */
  suits?: (client: ClientBase) => Promise<boolean>
  /** Whether an open connection to this one is still where it should be. */
  isCurrent: (name: string) => boolean
  /** Hears of everything that was written. */
  wrote?: () => void
}>

/** One server, or where to find one. */
export type To = Target | Places

/** A single server is never chosen, asked or left, so it costs nothing. */
export const placesOf = (to: To): Places =>
  'inOrder' in to ? to : { inOrder: () => [{ name: '', target: to }], isCurrent: () => true }
