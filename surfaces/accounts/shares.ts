import { RateLimited, type Caller } from 'pantry/data'
import type { Database } from 'pantry/database'
import { Windows, type Window } from './windows.ts'

/** More addresses than that without an account are asked for in an hour by machines. */
export const mostSignUpsAnHour = 100

/** More reports that are kept than people read in a day. */
export const mostLettersADay = 200

/** Of what all together may have, one client has a tenth; a few in any case. */
const tenthOf = (all: number): number => Math.max(10, Math.ceil(all / 10))

const [hour, day] = [3_600, 86_400]

/**
 * What writes, mails, draws or holds a lock for everybody who asks, and how much of it one client has. Everything that
 * is bounded for each client is here.
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

/**
 * Whoever asks, as far as a share goes: who is signed in is a person, wherever they are; all others are where they ask
 * from.
 */
export type Asking = Readonly<{ caller: Caller; callerHash: string }>

const whoIs = ({ caller: { session, id }, callerHash }: Asking): string =>
  session === undefined || id === undefined ? callerHash : id

const spanOf = (seconds: number): string =>
  seconds >= hour ? `${seconds / hour} hours`.replace(/^1 hours$/, 'an hour') : `${seconds / 60} minutes`

/**
 * Shares of clients. Each has its own, whatever others do; where all together have asked for as much as there is, the
 * first request of each client still counts, so that nobody is refused for what others did.
 */
export class Shares {
  readonly #windows: Windows
  readonly #most: ReturnType<typeof windowsOf>

  constructor(database: Pick<Database, 'knex' | 'rows'>, drawsADay = 10_000) {
    this.#windows = new Windows(database)
    this.#most = windowsOf(drawsADay)
  }

  /** Takes one of a share; whether it is the first. 429 for more than the share. */
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

  /** Takes one of a share for what comes to nothing alone: whoever is right has it back. */
  async spend<Found>(what: Shared, asking: Asking, work: () => Promise<Found | undefined>): Promise<Found | undefined> {
    await this.take(what, asking)
    const found = await work()
    if (found !== undefined) await this.#windows.takeBack(`${what}:${whoIs(asking)}`)
    return found
  }
}
