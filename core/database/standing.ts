/** The state of a server as it last reported it. */
export type ServerState = Readonly<{
  isStandby: boolean
  /** Position in the write-ahead log in bytes (pg_lsn): written by a primary, replayed by a standby. */
  position: number
  /** Timeline of a primary: it grows with each promotion. Null for a standby. */
  timeline: number | null
  /** Commit time of the last transaction that a standby has replayed, in milliseconds since 1970. */
  replayedAt: number | null
}>

/** A server and its last reported state; `said` is undefined while it does not answer. */
export type ServerStanding = Readonly<{ name: string; said: ServerState | undefined }>

/**
 * Log position of the primary at a time: a standby that has replayed up to it has everything committed before that
 * time.
 */
export type Mark = Readonly<{ at: number; position: number }>

/** A standby for reads, and the time up to which it has all data. */
export type Choice = Readonly<{ name: string; knownUntil: number }>

/**
 * Returns the servers that accept writes, the real primary first: the one promoted last. The others are old primaries
 * that did not notice a promotion.
 */
export const primariesOf = (servers: readonly ServerStanding[]): readonly string[] =>
  servers
    .filter(({ said }) => said?.isStandby === false)
    .sort((a, b) => (b.said?.timeline ?? 0) - (a.said?.timeline ?? 0))
    .map(({ name }) => name)

/** Returns the time of the last mark that a standby has passed. */
const passed = ({ position }: ServerState, marks: readonly Mark[]): number | undefined =>
  marks.findLast(mark => mark.position <= position)?.at

type Rules = Readonly<{
  /** A standby must have all data up to this time to be read, if there is a primary. */
  since: number
  hasPrimary: boolean
  marks: readonly Mark[]
  /** The standby that is read now; it is kept as long as it is recent enough. */
  current: string | undefined
}>

/**
 * Chooses the standby to read from; undefined means the primary. If there is no primary, the standby with the latest
 * position is chosen, however old its data is.
 */
export function chooseStandby(
  servers: readonly ServerStanding[],
  { since, hasPrimary, marks, current }: Rules
): Choice | undefined {
  const standbys = servers.flatMap(({ name, said }) => {
    // The time a standby reports is from another clock, so it is used only if no mark applies and there is no primary.
    const known =
      said?.isStandby === true
        ? (passed(said, marks) ?? (hasPrimary ? undefined : (said.replayedAt ?? undefined)))
        : undefined
    return said === undefined || known === undefined ? [] : [{ name, knownUntil: known, position: said.position }]
  })
  const good = hasPrimary ? standbys.filter(one => one.knownUntil >= since) : standbys
  const best = good.sort((a, b) => b.position - a.position)[0]
  const stays = good.find(({ name }) => name === current)
  const chosen = hasPrimary || stays?.position === best?.position ? (stays ?? best) : best
  return chosen === undefined ? undefined : { name: chosen.name, knownUntil: chosen.knownUntil }
}
