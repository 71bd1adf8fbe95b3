import { closed, Text, Type } from 'pantry/data'
import type { Database } from 'pantry/database'

/** A limit: at most `most` requests in `seconds` seconds. */
export type Window = Readonly<{ most: number; seconds: number }>

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
