import { digestOf, RateLimited, type Caller, type Counted } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { CallerLimits, RequestWindows, type Window } from 'pantry/keys'
import { personLimit, windowSeconds } from './keys.ts'
import type { Store } from '../common/repository.ts'

/** Returns what counts in the table of this service. */
export const openWindows = (store: Store): RequestWindows => new RequestWindows(store, 'rate_limits')

/**
 * Counts the requests of each caller. Each session and key has its own limit, and a person a limit over all of theirs,
 * so that more sessions or keys do not raise it. If the database is unavailable, each process counts for itself.
 */
export class Limits {
  readonly #limits: CallerLimits

  constructor(store: Store) {
    this.#limits = new CallerLimits(openWindows(store))
  }

  /**
   * Counts a request. `person` owns the session or key. Returns the window of the session or key, unless only the limit
   * of the person is exceeded.
   */
  async count({ id = '', session }: Caller, most: number, person: string | undefined): Promise<Counted> {
    return await this.#limits.count([
      [session === undefined ? `key:${id}` : `session:${session.id}`, { most, seconds: windowSeconds }],
      ...(person === undefined ? [] : [[`person:${person}`, { most: personLimit, seconds: windowSeconds }] as const])
    ])
  }
}

/** The most codes in an hour for new accounts, over all clients; a larger number comes from bots. */
export const maxSignUpsPerHour = 100

/** The most feedback reports that are stored in a day, over all clients: more than people can read. */
export const maxFeedbackPerDay = 200

/** Returns the share of one client: a tenth of the total, but at least ten. */
const tenthOf = (all: number): number => Math.max(10, Math.ceil(all / 10))

const [hour, day] = [3_600, 86_400]

/** The limits of each client for requests that write, send mail, make a random draw or hold a database lock. */
const windowsOf = (drawsADay: number) =>
  ({
    'try to sign in': { most: 60, seconds: hour / 4 },
    'ask for a code by mail': { most: 30, seconds: hour },
    'ask for an account': { most: tenthOf(maxSignUpsPerHour), seconds: hour },
    'change the mail address': { most: 3, seconds: hour },
    'make a key': { most: 60, seconds: hour },
    'send a report that is kept': { most: tenthOf(maxFeedbackPerDay), seconds: day },
    'take back a report': { most: 60, seconds: hour },
    'begin a draw': { most: tenthOf(drawsADay), seconds: day },
    'open a draw': { most: 2 * tenthOf(drawsADay), seconds: day }
  }) as const satisfies Readonly<Record<string, Window>>
type ShareName = keyof ReturnType<typeof windowsOf>

/** The requester of a share: a signed-in person, or for others the hash of the client address. */
export type ClientIdentity = Readonly<{ caller: Caller; callerHash: string }>

const requesterOf = ({ caller: { session, id }, callerHash }: ClientIdentity): string =>
  session === undefined || id === undefined ? callerHash : id

const spanOf = (seconds: number): string =>
  seconds >= hour ? `${seconds / hour} hours`.replace(/^1 hours$/, 'an hour') : `${seconds / 60} minutes`

export class Shares {
  readonly #windows: RequestWindows
  readonly #most: ReturnType<typeof windowsOf>

  constructor(store: Store, drawsADay: number) {
    this.#windows = openWindows(store)
    this.#most = windowsOf(drawsADay)
  }

  /**
   * Counts one use; 429 if the share is exhausted. Also returns whether it is the first use in the window, which
   * callers accept even if a total for all clients is used up, so that nobody is refused because of others.
   */
  async take(what: ShareName, asking: ClientIdentity): Promise<Readonly<{ isFirst: boolean }>> {
    const window: Window = this.#most[what]
    const { count, resetSeconds } = await this.#windows.count(`${what}:${requesterOf(asking)}`, window)
    if (count > window.most) {
      throw new RateLimited(
        { limit: window.most, windowSeconds: window.seconds, resetSeconds },
        `One client may ${what} ${window.most} times in ${spanOf(window.seconds)}. Please come back later.`
      )
    }
    return { isFirst: count === 1 }
  }

  /** Counts one use, and takes it back if `work` returns a value. */
  async spend<Found>(
    what: ShareName,
    asking: ClientIdentity,
    work: () => Promise<Found | undefined>
  ): Promise<Found | undefined> {
    await this.take(what, asking)
    const found = await work()
    if (found !== undefined) await this.#windows.takeBack(`${what}:${requesterOf(asking)}`)
    return found
  }
}

const parts = 256

/**
 * Counts an attempt with a name or an address, whether or not a person has it, so that both cases take the same time to
 * commit.
 */
export async function countTry(transaction: Knex.Transaction, name: string): Promise<void> {
  const part = Number.parseInt(digestOf(name).slice(0, 8), 16) % parts
  await transaction('sign_in_counts')
    .insert({ part, tried: 1 })
    .onConflict('part')
    .merge({ tried: transaction.raw('sign_in_counts.tried + 1') })
}
