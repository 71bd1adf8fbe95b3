import type { NamedServer } from './connection.ts'
import { readHostList } from './host-list.ts'

/** The servers that an operator has configured, and the pooler in front of them. */
export type ServerNames = Readonly<{
  /** URL of a PostgreSQL server (14 or later), or of several: the one that is not a standby is used. */
  url?: string | undefined
  /** URL of the standbys that may be read. */
  readUrl?: string | undefined
  /** `transaction` if a pooler is in between that may use another server connection for each transaction. */
  pooler?: 'transaction' | undefined
}>

/**
 * Parses the URLs of the configured servers: `primaries` from `url`, of which the current primary is used, and
 * `standbys` from `readUrl`, which may be read. Throws a HostListError.
 */
export function namedServers({
  url,
  readUrl,
  pooler
}: ServerNames): Readonly<{ primaries: readonly NamedServer[]; standbys: readonly NamedServer[] }> {
  const through = (servers: readonly NamedServer[]): readonly NamedServer[] =>
    pooler === undefined
      ? servers
      : servers.map(({ name, target }) => ({ name, target: { ...target, isPooled: true } }))
  return {
    primaries: through(url === undefined ? [] : readHostList(url, 'primary')),
    standbys: through(readUrl === undefined ? [] : readHostList(readUrl, 'replica'))
  }
}
