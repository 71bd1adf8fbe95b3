import { closed, digestOf, RateLimited, Text, Type, type Caller, type Counted } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { personLimit, windowSeconds } from './keys.ts'

/** A limit: at most `most` requests in `seconds` seconds. */
type Window = Readonly<{ most: number; seconds: number }>

/** The count in the window, including this request, and the seconds until the window ends. */
type WindowCount = Readonly<{ count: number; resetSeconds: number }>

const WindowRow = closed({ key: Text, points: Type.Integer(), left_ms: Type.Integer() })

/**
 * The maximum number of exceeded limits that are cached; then the cache is cleared and they are counted in the database
 * again.
 */
const mostRemembered = 10_000

const now = 'extract(epoch from clock_timestamp()) * 1000'

/** Query that counts. Rows are locked in the given order, which begins with the row that only one caller uses. */
const counting = `
  insert into rate_limits as held (key, points, expire)
  select key, 1, ${now} + ms from unnest(cast(:keys as text[]), cast(:spans as bigint[])) with ordinality asked (key, ms, place) order by place
  on conflict (key) do update set points = case when held.expire <= ${now} then 1 else held.points + 1 end, expire = case when held.expire <= ${now} then excluded.expire else least(held.expire, excluded.expire) end
  returning key, points, greatest(expire - ${now}, 1)::int as left_ms`

/**
 * Counts requests in windows that all processes over one database share. A window begins with its first request. Uses
 * the clock of the database, so that clocks of processes do not matter.
 */
export class Windows {
  readonly #database: Pick<Database, 'knex' | 'rows'>
  /** When the window of an exceeded limit ends, by key, in milliseconds of `performance.now()`. */
  readonly #over = new Map<string, number>()

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /** Counts one request under a key. */
  async count(key: string, window: Window): Promise<WindowCount> {
    const [counted] = await this.countAll([[key, window]])
    if (counted === undefined) throw new Error('Nothing was counted.')
    return counted
  }

  /**
   * Counts one request under each of some keys, in one statement. If one is already known to exceed its limit, counts
   * nothing and returns only that one.
   */
  async countAll(
    asked: readonly (readonly [key: string, window: Window])[]
  ): Promise<readonly (WindowCount & Readonly<{ window: Window }>)[]> {
    for (const [key, window] of asked) {
      const left = (this.#over.get(key) ?? 0) - performance.now()
      if (left > 0) return [{ window, count: window.most + 1, resetSeconds: Math.ceil(left / 1000) }]
    }
    const { knex, rows } = this.#database
    const states = new Map(
      (
        await rows(
          WindowRow,
          knex.raw(counting, { keys: asked.map(([key]) => key), spans: asked.map(([, { seconds }]) => seconds * 1000) })
        )
      ).map(state => [state.key, state])
    )
    return asked.flatMap(([key, window]) => {
      const state = states.get(key)
      if (state === undefined) return []
      if (state.points > window.most) this.#remember(key, state.left_ms)
      return [{ window, count: state.points, resetSeconds: Math.ceil(state.left_ms / 1000) }]
    })
  }

  /** Reverts one count. */
  async takeBack(key: string): Promise<void> {
    const { knex } = this.#database
    this.#over.delete(key)
    await knex('rate_limits')
      .where({ key })
      .update({ points: knex.raw('greatest(points - 1, 0)') })
  }

  #remember(key: string, leftMs: number): void {
    if (this.#over.size >= mostRemembered) this.#over.clear()
    this.#over.set(key, performance.now() + leftMs)
  }
}

type Asked = readonly (readonly [key: string, window: Window])[]
type State = Readonly<{ window: Window; count: number; resetSeconds: number }>

/**
 * Counts the requests of each caller in windows that all processes over one database share. Each session and key has
 * its own limit, and a person a limit over all of theirs, so that more sessions or keys do not raise it. If the
 * database is unavailable, each process counts for itself.
 */
export class Limits {
  readonly #windows: Windows
  readonly #own = new Map<number, RateLimiterMemory>()

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#windows = new Windows(database)
  }

  /**
   * Counts one request. `person` owns the session or key; undefined for a key of the operator. Returns the window of
   * the session or key, unless the person's limit is exceeded.
   */
  async count({ id = '', session }: Caller, most: number, person: string | undefined): Promise<Counted> {
    const asked: Asked = [
      [session === undefined ? `key:${id}` : `session:${session.id}`, { most, seconds: windowSeconds }],
      ...(person === undefined ? [] : [[`person:${person}`, { most: personLimit, seconds: windowSeconds }] as const])
    ]
    const states = await this.#windows.countAll(asked).catch(async () => await this.#countAlone(asked))
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

  /** Counts in the memory of this process. */
  async #countAlone(asked: Asked): Promise<readonly State[]> {
    return await Promise.all(
      asked.map(async ([key, window]) => {
        const known =
          this.#own.get(window.most) ??
          new RateLimiterMemory({ points: window.most, duration: windowSeconds, keyPrefix: String(window.most) })
        this.#own.set(window.most, known)
        const state = await known.consume(key).catch((refused: unknown) => {
          if (refused instanceof RateLimiterRes) return refused
          throw refused
        })
        return { window, count: state.consumedPoints, resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)) }
      })
    )
  }
}

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

/** The number of rows over which the counter is spread. */
const parts = 256

/**
 * Counts each attempt with a name or an address, whether it exists or not. The write makes both cases take the same
 * time to commit, so that response times reveal nothing.
 */
export async function countTry(transaction: Knex.Transaction, name: string): Promise<void> {
  const part = Number.parseInt(digestOf(name).slice(0, 8), 16) % parts
  await transaction('sign_in_counts')
    .insert({ part, tried: 1 })
    .onConflict('part')
    .merge({ tried: transaction.raw('sign_in_counts.tried + 1') })
}
