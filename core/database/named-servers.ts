import type { Named } from './connection.ts'
import { readHostList } from './host-list.ts'

/** Which servers an operator names, and what is in front of them. */
export type ServerNames = Readonly<{
  /** A PostgreSQL server (14 or later), or several: the one that is no standby is used. */
  url?: string | undefined
  /** Standbys that reads may go to. */
  readUrl?: string | undefined
  /** A pooler that gives each transaction another connection of the server. */
  pooler?: 'transaction' | undefined
}>

/**
 * The named servers: of the first the one that is the primary is used, and the second may be read. Throws a
 * HostListError.
 */
export function namedServers({
  url,
  readUrl,
  pooler
}: ServerNames): Readonly<{ primaries: readonly Named[]; standbys: readonly Named[] }> {
  const through = (servers: readonly Named[]): readonly Named[] =>
    pooler === undefined
      ? servers
      : servers.map(({ name, target }) => ({ name, target: { ...target, isPooled: true } }))
  return {
    primaries: through(url === undefined ? [] : readHostList(url, 'primary')),
    standbys: through(readUrl === undefined ? [] : readHostList(readUrl, 'replica'))
  }
}
