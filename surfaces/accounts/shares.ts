import { RateLimited, type Caller } from 'pantry/data'
import type { Database } from 'pantry/database'
import { Windows, type Window } from './windows.ts'

/** The hourly limit for codes to addresses without an account; more requests come from bots. */
export const mostSignUpsAnHour = 100

/** The daily limit for stored reports, which is more than people can read. */
export const mostLettersADay = 200

/** Returns the share of one client: a tenth of the total, but at least ten. */
const tenthOf = (all: number): number => Math.max(10, Math.ceil(all / 10))

const [hour, day] = [3_600, 86_400]

/**
 * The limits of each client for operations that write, send mail, draw or hold a lock on request. All limits per client
 * are defined here.
 */
const windowsOf = (drawsADay: number) =>
  ({
    'try to sign in': { most: 60, seconds: hour / 4 },
    'ask for a code by mail': { most: 30, seconds: hour },
    'ask for an account': { most: tenthOf(mostSignUpsAnHour), seconds: hour },
    'change the mail address': { most: 3, seconds: hour },
    'make a key': { most: 60, seconds: hour },
    'send a report that is kept': { most: tenthOf(mostLettersADay), seconds: day },
    'take back a report': { most: 60, seconds: hour },
    'begin a draw': { most: tenthOf(drawsADay), seconds: day },
    'open a draw': { most: 2 * tenthOf(drawsADay), seconds: day }
  }) as const satisfies Readonly<Record<string, Window>>
export type Shared = keyof ReturnType<typeof windowsOf>

/** The requester of a share: a signed-in person, or for others the hash of the client address. */
export type Asking = Readonly<{ caller: Caller; callerHash: string }>

const whoIs = ({ caller: { session, id }, callerHash }: Asking): string =>
  session === undefined || id === undefined ? callerHash : id

const spanOf = (seconds: number): string =>
  seconds >= hour ? `${seconds / hour} hours`.replace(/^1 hours$/, 'an hour') : `${seconds / 60} minutes`

/**
 * Limits per client. Each client has its own, whatever others do. If the total is exhausted, the first request of each
 * client is still accepted, so that nobody is refused because of others.
 */
export class Shares {
  readonly #windows: Windows
  readonly #most: ReturnType<typeof windowsOf>

  constructor(database: Pick<Database, 'knex' | 'rows'>, drawsADay: number) {
    this.#windows = new Windows(database)
    this.#most = windowsOf(drawsADay)
  }

  /** Counts one use and returns whether it is the first. 429 if the share is exhausted. */
  async take(what: Shared, asking: Asking): Promise<Readonly<{ isFirst: boolean }>> {
    const window: Window = this.#most[what]
    const { count, resetSeconds } = await this.#windows.count(`${what}:${whoIs(asking)}`, window)
    if (count > window.most) {
      throw new RateLimited(
        { limit: window.most, windowSeconds: window.seconds, resetSeconds },
        `One client may ${what} ${window.most} times in ${spanOf(window.seconds)}. Please come back later.`
      )
    }
    return { isFirst: count === 1 }
  }

  /** Counts one use for an attempt, and reverts it if the attempt succeeds. */
  async spend<Found>(what: Shared, asking: Asking, work: () => Promise<Found | undefined>): Promise<Found | undefined> {
    await this.take(what, asking)
    const found = await work()
    if (found !== undefined) await this.#windows.takeBack(`${what}:${whoIs(asking)}`)
    return found
  }
}
