import { closed, digestOf, RateLimited, Text, Type, type Caller, type Counted } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { personLimit, windowSeconds } from './keys.ts'
import { Repository, type Store } from '../common/repository.ts'

type Window = Readonly<{ most: number; seconds: number }>

/**
 * The count in a window, including this request, and the seconds until the window ends. For a limit that is known to be
 * exceeded the count is the limit plus 1.
 */
type WindowCount = Readonly<{ window: Window; count: number; resetSeconds: number }>

type CountedKeys = readonly (readonly [key: string, window: Window])[]

const WindowRow = closed({ key: Text, points: Type.Integer(), left_ms: Type.Integer() })

/** The maximum number of exceeded limits that are cached; then the cache is cleared. */
const maxRemembered = 10_000

const now = 'extract(epoch from clock_timestamp()) * 1000'

/**
 * Query that counts one request for each key. Rows are locked in the given order, which begins with the row that only
 * one caller uses.
 */
const counting = `
  insert into rate_limits as held (key, points, expire)
  select key, 1, ${now} + ms from unnest(cast(:keys as text[]), cast(:spans as bigint[])) with ordinality asked (key, ms, place) order by place
  on conflict (key) do update set points = case when held.expire <= ${now} then 1 else held.points + 1 end, expire = case when held.expire <= ${now} then excluded.expire else least(held.expire, excluded.expire) end
  returning key, points, greatest(expire - ${now}, 1)::int as left_ms`

/**
 * Counts requests in windows that all processes over one database share, by its clock. A window begins with its first
 * request.
 */
export class Windows extends Repository {
  /** When the window of an exceeded limit ends, by key, in milliseconds of `performance.now()`. */
  readonly #exceeded = new Map<string, number>()

  async count(key: string, window: Window): Promise<WindowCount> {
    const [counted] = await this.countAll([[key, window]])
    if (counted === undefined) throw new Error('Nothing was counted.')
    return counted
  }

  /**
   * Counts one request for each key. If one limit is known to be exceeded, counts nothing and returns only that one.
   */
  async countAll(keys: CountedKeys): Promise<readonly WindowCount[]> {
    for (const [key, window] of keys) {
      const left = (this.#exceeded.get(key) ?? 0) - performance.now()
      if (left > 0) return [{ window, count: window.most + 1, resetSeconds: Math.ceil(left / 1000) }]
    }
    const found = await this.rows(
      WindowRow,
      this.knex.raw(counting, { keys: keys.map(([key]) => key), spans: keys.map(([, { seconds }]) => seconds * 1000) })
    )
    const rows = new Map(found.map(row => [row.key, row]))
    return keys.flatMap(([key, window]) => {
      const row = rows.get(key)
      if (row === undefined) return []
      if (row.points > window.most) this.#remember(key, row.left_ms)
      return [{ window, count: row.points, resetSeconds: Math.ceil(row.left_ms / 1000) }]
    })
  }

  async takeBack(key: string): Promise<void> {
    this.#exceeded.delete(key)
    await this.knex('rate_limits')
      .where({ key })
      .update({ points: this.knex.raw('greatest(points - 1, 0)') })
  }

  #remember(key: string, leftMs: number): void {
    if (this.#exceeded.size >= maxRemembered) this.#exceeded.clear()
    this.#exceeded.set(key, performance.now() + leftMs)
  }
}

/**
 * Counts the requests of each caller. Each session and key has its own limit, and a person a limit over all of theirs,
 * so that more sessions or keys do not raise it. If the database is unavailable, each process counts for itself.
 */
export class Limits {
  readonly #windows: Windows
  readonly #inMemory = new Map<number, RateLimiterMemory>()

  constructor(store: Store) {
    this.#windows = new Windows(store)
  }

  /**
   * Counts a request. `person` owns the session or key. Returns the window of the session or key, unless only the limit
   * of the person is exceeded.
   */
  async count({ id = '', session }: Caller, most: number, person: string | undefined): Promise<Counted> {
    const keys: CountedKeys = [
      [session === undefined ? `key:${id}` : `session:${session.id}`, { most, seconds: windowSeconds }],
      ...(person === undefined ? [] : [[`person:${person}`, { most: personLimit, seconds: windowSeconds }] as const])
    ]
    const states = await this.#windows.countAll(keys).catch(async () => await this.#countAlone(keys))
    const { window, count, resetSeconds } = states.find(state => state.count > state.window.most) ??
      states[0] ?? { window: { most, seconds: windowSeconds }, count: 1, resetSeconds: windowSeconds }
    return {
      isAllowed: count <= window.most,
      limit: window.most,
      windowSeconds,
      remaining: Math.max(0, window.most - count),
      resetSeconds
    }
  }

  async #countAlone(keys: CountedKeys): Promise<readonly WindowCount[]> {
    return await Promise.all(
      keys.map(async ([key, window]) => {
        const limiter =
          this.#inMemory.get(window.most) ??
          new RateLimiterMemory({ points: window.most, duration: windowSeconds, keyPrefix: String(window.most) })
        this.#inMemory.set(window.most, limiter)
        const state = await limiter.consume(key).catch((refused: unknown) => {
          if (refused instanceof RateLimiterRes) return refused
          throw refused
        })
        return { window, count: state.consumedPoints, resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)) }
      })
    )
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
  readonly #windows: Windows
  readonly #most: ReturnType<typeof windowsOf>

  constructor(store: Store, drawsADay: number) {
    this.#windows = new Windows(store)
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
