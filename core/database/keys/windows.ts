import type { Knex } from 'knex'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counted } from '../../access/access.ts'
import { Type } from '../../canonical/type.ts'
import { closed, Text } from '../../contract/shapes.ts'
import type { Database } from '../database.ts'

/** What of a database the windows are kept in. */
type Store = Pick<Database, 'knex' | 'rows'>

/** The most requests in a number of seconds. */
export type Window = Readonly<{ most: number; seconds: number }>

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
  insert into :table: as held (key, points, expire)
  select key, 1, ${now} + ms from unnest(cast(:keys as text[]), cast(:spans as bigint[])) with ordinality asked (key, ms, place) order by place
  on conflict (key) do update set points = case when held.expire <= ${now} then 1 else held.points + 1 end, expire = case when held.expire <= ${now} then excluded.expire else least(held.expire, excluded.expire) end
  returning key, points, greatest(expire - ${now}, 1)::int as left_ms`

/** Makes a table for `RequestWindows`. Counts need not outlive a crash: unlogged, writes do not wait for a disk. */
export const windowsTable = async (knex: Knex, name: string): Promise<void> => {
  await knex.raw('create unlogged table ?? (key text primary key, points integer not null, expire bigint not null)', [
    name
  ])
}

/**
 * Counts requests in windows that all processes over one database share, by its clock. A window begins with its first
 * request.
 */
export class RequestWindows {
  /** When the window of an exceeded limit ends, by key, in milliseconds of `performance.now()`. */
  readonly #exceeded = new Map<string, number>()
  readonly #store: Store
  readonly #table: string

  constructor(store: Store, table: string) {
    this.#store = store
    this.#table = table
  }

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
    const { knex, rows: read } = this.#store
    const asked = {
      table: this.#table,
      keys: keys.map(([key]) => key),
      spans: keys.map(([, { seconds }]) => seconds * 1000)
    }
    const found = await read(WindowRow, knex.raw(counting, asked))
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
    const { knex } = this.#store
    await knex(this.#table)
      .where({ key })
      .update({ points: knex.raw('greatest(points - 1, 0)') })
  }

  #remember(key: string, leftMs: number): void {
    if (this.#exceeded.size >= maxRemembered) this.#exceeded.clear()
    this.#exceeded.set(key, performance.now() + leftMs)
  }
}

/** Counts requests in `RequestWindows`; while the database is unavailable, each process counts for itself. */
export class CallerLimits {
  readonly #windows: RequestWindows
  readonly #inMemory = new Map<string, RateLimiterMemory>()

  constructor(windows: RequestWindows) {
    this.#windows = windows
  }

  /** Counts a request for each key. Returns the window of the first, unless only the limit of another is exceeded. */
  async count([first, ...others]: readonly [CountedKeys[number], ...CountedKeys]): Promise<Counted> {
    const keys = [first, ...others]
    const states = await this.#windows.countAll(keys).catch(async () => await this.#countAlone(keys))
    const { window, count, resetSeconds } = states.find(state => state.count > state.window.most) ??
      states[0] ?? { window: first[1], count: 1, resetSeconds: first[1].seconds }
    return {
      isAllowed: count <= window.most,
      limit: window.most,
      windowSeconds: window.seconds,
      remaining: Math.max(0, window.most - count),
      resetSeconds
    }
  }

  async #countAlone(keys: CountedKeys): Promise<readonly WindowCount[]> {
    return await Promise.all(
      keys.map(async ([key, window]) => {
        const keyPrefix = `${window.most} in ${window.seconds}`
        const limiter =
          this.#inMemory.get(keyPrefix) ??
          new RateLimiterMemory({ points: window.most, duration: window.seconds, keyPrefix })
        this.#inMemory.set(keyPrefix, limiter)
        const state = await limiter.consume(key).catch((refused: unknown) => {
          if (refused instanceof RateLimiterRes) return refused
          throw refused
        })
        return { window, count: state.consumedPoints, resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)) }
      })
    )
  }
}
