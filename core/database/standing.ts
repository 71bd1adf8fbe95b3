/** What a server said of itself when it was last asked. */
export type Said = Readonly<{
  isStandby: boolean
  /** Bytes of its log (pg_lsn): written by a primary, replayed by a standby. */
  position: number
  /** Of a primary: which promotion it is from. */
  timeline: number | null
  /** Of a standby: when the last transaction that it replayed was committed, in milliseconds since 1970. */
  replayedAt: number | null
}>

/** A server at this moment. `said` is undefined while it does not answer. */
export type Standing = Readonly<{ name: string; said: Said | undefined }>

/**
 * Where the log of the primary was at a time: whoever has replayed up to there knows everything that was committed
 * before it.
 */
export type Mark = Readonly<{ at: number; position: number }>

/** A standby that reads may go to, and the time up to which it knows everything. */
export type Choice = Readonly<{ name: string; knownUntil: number }>

/**
 * The servers that take writes, the primary first: the one that was promoted last, because an older one was left
 * behind.
 */
export const primariesOf = (servers: readonly Standing[]): readonly string[] =>
  servers
    .filter(({ said }) => said?.isStandby === false)
    .sort((a, b) => (b.said?.timeline ?? 0) - (a.said?.timeline ?? 0))
    .map(({ name }) => name)

/** The last mark that a standby has passed. */
const passed = ({ position }: Said, marks: readonly Mark[]): number | undefined =>
  marks.findLast(mark => mark.position <= position)?.at

type Rules = Readonly<{
  /** What a standby must know to be read, while there is a primary to read from instead. */
  since: number
  hasPrimary: boolean
  marks: readonly Mark[]
  /** The one that is read now. It stays, as long as it is good enough. */
  current: string | undefined
}>

/**
 * The standby to read from; undefined sends reads to the primary. While there is none, what is known matters less than
 * an answer: the standby that has come farthest is read, and says how far that is.
 */
export function chooseStandby(
  servers: readonly Standing[],
  { since, hasPrimary, marks, current }: Rules
): Choice | undefined {
  const standbys = servers.flatMap(({ name, said }) => {
    // Its own word is from another clock, so it counts where there is no better.
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
