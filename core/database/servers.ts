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
  /** One of these is the primary, whichever that is now. */
  primaries: readonly NamedServer[]
  /** Reads may go to these, while they are standbys. */
  standbys: readonly NamedServer[]
  /** How old what a standby knows may be, in milliseconds. */
  longestLag: number
  /** Milliseconds that a server which has let us in has to say whether it is the primary. */
  longestAnswer?: number | undefined
  log: Log
  /** Called when the primary or the standby that is read is another one. */
  moved: () => void
}>

/** What is known of several servers, asked in the background and never for a request. */
export type Servers = Readonly<{
  /** For what writes. */
  primary: Places
  /** For what only reads: the standby of the moment. */
  standby: Places
  /** Name of that standby; undefined while reads go to the primary. */
  reading: () => string | undefined
  /** The time up to which that standby knows everything, in milliseconds since 1970. */
  knownUntil: () => number | undefined
  /** Whether there is a standby that reads may go to, were nothing written just now. */
  hasStandby: () => boolean
  /** A read failed because of this server: it is not read again before it has answered. */
  lost: (name: string | undefined) => void
  /** How often reads have moved from one server to another. */
  moves: () => number
  close: () => Promise<void>
}>

const limits = { connect: 500, statement: 500 }
/** Milliseconds between two rounds while there is no primary. */
const hurry = 200

/**
 * A CASE evaluates only the branch it takes, and each of these functions refuses the other role (PostgreSQL manual,
 * 9.27.3 and 9.27.4).
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
 * Asks each server a few times in the time of `longestLag` what it is and how far it has come. Reads of one process
 * stay on one standby, and move to another only when that knows everything up to the move; after a write they wait for
 * the standby to know it. So a process reads nothing older than what it wrote.
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
  /** The last one that was seen, whether it answers now or not. */
  let primary: string | undefined
  let hasPrimary = false
  let leftBehind: readonly string[] = []
  let choice: Choice | undefined
  /** What is read from a standby must be at least as new as this. */
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
    // The client has changed also where its statement is over; then it would be asked again and again.
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
    // Another primary goes on with a log of its own.
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
  /** The primary that was seen last, then those that may have become it, then those that do not answer. */
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

/** Says of which server the lines are. */
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
