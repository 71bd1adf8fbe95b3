import type { ClientBase } from 'pg'
import type { NamedServer } from './connection.ts'
import { noServer } from './errors.ts'
import type { Log } from './log.ts'
import { placesOf, type Places } from './places.ts'
import { ReconnectingClient } from './reconnecting-client.ts'
import {
  chooseStandby,
  primariesOf,
  type Choice,
  type Mark,
  type ServerState,
  type ServerStanding
} from './standing.ts'

type ServersOptions = Readonly<{
  /** Servers of which one is the primary at any time. */
  primaries: readonly NamedServer[]
  /** Servers that may be read while they are standbys. */
  standbys: readonly NamedServer[]
  /** Maximum age of a standby's data, in milliseconds. */
  longestLag: number
  /** Milliseconds that a server which has let us in has to say whether it is the primary. */
  longestAnswer?: number | undefined
  log: Log
  /** Called when the primary changes, or the standby that is read. */
  moved: () => void
}>

/** The state of several servers, queried in the background and never during a request. */
export type Servers = Readonly<{
  /** Where to connect for writes. */
  primary: Places
  /** Where to connect for reads: the standby chosen now. */
  standby: Places
  /** Returns the name of that standby; undefined while reads go to the primary. */
  reading: () => string | undefined
  /** Returns the time up to which that standby has all data, in milliseconds since 1970. */
  knownUntil: () => number | undefined
  /** Tells whether some standby is recent enough for reads, recent writes of this process aside. */
  hasStandby: () => boolean
  /**
   * Reports that a read failed because of a server (undefined: the primary). A standby is not read again until it
   * answers.
   */
  lost: (name: string | undefined) => void
  /** Returns how often reads have moved from one server to another. */
  moves: () => number
  close: () => Promise<void>
}>

const limits = { connect: 500, statement: 500 }
/** Milliseconds between two queries of all servers while there is no primary. */
const hurry = 200

/**
 * Returns role, log position, timeline and replay time. Some of these functions fail on a primary, others on a standby,
 * so each is called in a CASE, which evaluates only the branch taken (PostgreSQL manual, 9.27.3 and 9.27.4).
 */
const sql = `select pg_is_in_recovery(),
  (case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn(), '0/0') else pg_current_wal_lsn() end - '0/0')::bigint,
  case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end,
  (case when pg_is_in_recovery() then extract(epoch from pg_last_xact_replay_timestamp()) * 1000 end)::bigint`

const isPrimary = async (client: ClientBase, longest: number): Promise<boolean> =>
  (
    await client.query<{ standby: boolean }>({
      text: 'select pg_is_in_recovery() as standby',
      query_timeout: longest
    } as { text: string })
  ).rows[0]?.standby === false

/**
 * Queries the role and log position of each server several times per `longestLag`. Reads of a process stay on one
 * standby, and move to another only when that has all data up to the move; after a write, the standby is read only when
 * it has the write. So a process reads nothing older than what it has written or read.
 */
export function watchServers({
  primaries,
  standbys,
  longestLag,
  longestAnswer = limits.statement,
  log,
  moved
}: ServersOptions): Servers {
  const said = new Map<string, ServerState>()
  let marks: readonly Mark[] = []
  /** The primary that was seen last, whether it answers now or not. */
  let primary: string | undefined
  let hasPrimary = false
  let leftBehind: readonly string[] = []
  let choice: Choice | undefined
  /** A standby must have all data up to this time to be read. */
  let pinned = 0
  let moves = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const named = new Map([...standbys, ...primaries].map(one => [one.name, one]))
  const clients = new Map(
    [...named].map(([name, { target }]) => [
      name,
      new ReconnectingClient(
        placesOf(target),
        limits,
        () => {
          void ask(name)
        },
        prefixed(log, name)
      )
    ])
  )
  const standingOf = (servers: readonly NamedServer[]): readonly ServerStanding[] =>
    servers.map(({ name }) => ({ name, said: said.get(name) }))

  const asking = new Set<string>()

  async function ask(name: string): Promise<void> {
    const client = clients.get(name)
    // The client also reports a change when its statement has ended: without `asking` that would start an endless loop.
    if (closed || client === undefined || asking.has(name)) return
    asking.add(name)
    const at = Date.now()
    try {
      if (!client.isReady()) throw noServer('not connected')
      const [row] = (await client.run({ text: sql, rowMode: 'array' })) as [
        boolean,
        number,
        number | null,
        number | null
      ][]
      const [isStandby = true, position = 0, timeline = null, replayedAt = null] = row ?? []
      said.set(name, { isStandby, position, timeline, replayedAt })
      findPrimary()
      if (name === primary && !isStandby) marks = [...marks.filter(mark => mark.at > at - longestLag), { at, position }]
    } catch {
      said.delete(name)
      findPrimary()
    } finally {
      asking.delete(name)
    }
    choose()
  }

  function findPrimary(): void {
    const [found, ...others] = primariesOf(standingOf(primaries))
    if (others.join() !== leftBehind.join() && others.length > 0) {
      log.warn(
        `${others.join(' and ')} takes writes as well as the primary, and is not written to. Stop it, and make a standby of it (pg_rewind).`
      )
    }
    leftBehind = others
    if (hasPrimary && found === undefined)
      log.warn(
        `No primary answers: nothing can be written${choice === undefined ? '' : `, and reads go on from ${choice.name}`}.`
      )
    hasPrimary = found !== undefined
    if (found === undefined || found === primary) return
    // The positions of `marks` are of the log of the old primary.
    marks = []
    log.info(`${found} is the primary.`)
    primary = found
    moved()
  }

  function choose(): void {
    const find = (): Choice | undefined =>
      chooseStandby(standingOf(standbys), {
        since: Math.max(pinned, Date.now() - longestLag),
        hasPrimary,
        marks,
        current: choice?.name
      })
    const before = choice?.name
    choice = find()
    if (choice?.name === before) return
    if (before !== undefined) {
      pinned = Date.now()
      choice = find()
    }
    moves += 1
    moved()
  }

  const around = async (): Promise<void> => {
    await Promise.all([...named.keys()].map(ask))
    if (!closed)
      timer = setTimeout(
        () => {
          void around()
        },
        hasPrimary ? Math.min(1_000, longestLag / 8) : hurry
      ).unref()
  }
  void around()

  const reading = (): Choice | undefined => {
    if (choice !== undefined && hasPrimary && choice.knownUntil < Date.now() - longestLag) choose()
    return choice
  }
  /**
   * Order for new connections: the primary that was seen last, then servers that may have been promoted, then those
   * that do not answer.
   */
  const rank = ({ name }: NamedServer): number => (name === primary ? 0 : clients.get(name)?.state === 'down' ? 2 : 1)

  return {
    primary: {
      inOrder: () => primaries.toSorted((a, b) => rank(a) - rank(b)),
      suits: client => isPrimary(client, longestAnswer),
      isCurrent: name => !hasPrimary || name === primary,
      wrote: () => {
        pinned = Date.now()
        choose()
      }
    },
    standby: {
      inOrder: () => standbys.filter(({ name }) => name === reading()?.name),
      isCurrent: name => name === reading()?.name
    },
    reading: () => reading()?.name,
    knownUntil: () => reading()?.knownUntil,
    hasStandby: () =>
      chooseStandby(standingOf(standbys), { since: Date.now() - longestLag, hasPrimary, marks, current: undefined }) !==
      undefined,
    lost: name => {
      pinned = Date.now()
      if (name === undefined) return
      said.delete(name)
      choose()
      void ask(name)
    },
    moves: () => moves,
    close: async () => {
      closed = true
      clearTimeout(timer)
      await Promise.all([...clients.values()].map(client => client.close()))
    }
  }
}

/** Returns a log that puts the name of the server before each line. */
const prefixed = (log: Log, name: string): Log => ({
  info: message => {
    log.info(`${name}: ${message}`)
  },
  warn: message => {
    log.warn(`${name}: ${message}`)
  },
  error: message => {
    log.error(`${name}: ${message}`)
  }
})
