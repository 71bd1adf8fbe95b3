import { closed, Text, Type } from 'pantry/data'
import type { Database } from 'pantry/database'

/** So many in so many seconds. */
export type Window = Readonly<{ most: number; seconds: number }>

/** How often something was counted in its window, this time included, and when the window ends. */
type Counted = Readonly<{ count: number; resetSeconds: number }>

const State = closed({ key: Text, points: Type.Integer(), left_ms: Type.Integer() })

/** More of those who are over their limit are not remembered: then they are counted again. */
const mostRemembered = 10_000

const now = 'extract(epoch from clock_timestamp()) * 1000'

/** Rows are locked in the order in which they are given: the one of nobody else first. */
const counting = `
  insert into rate_limits as held (key, points, expire)
  select key, 1, ${now} + ms from unnest(cast(:keys as text[]), cast(:spans as bigint[])) with ordinality asked (key, ms, place) order by place
  on conflict (key) do update set points = case when held.expire <= ${now} then 1 else held.points + 1 end, expire = case when held.expire <= ${now} then excluded.expire else least(held.expire, excluded.expire) end
  returning key, points, greatest(expire - ${now}, 1)::int as left_ms`

/**
 * Counts in windows that all processes over one database share. A window begins with the first request in it. The clock
 * is that of the database, so that none of a process counts.
 */
export class Windows {
  readonly #database: Pick<Database, 'knex' | 'rows'>
  /** Until when whoever is over the limit need not be counted, in milliseconds of this process. */
  readonly #over = new Map<string, number>()

  constructor(database: Pick<Database, 'knex' | 'rows'>) {
    this.#database = database
  }

  /** Counts one more under a key. */
  async count(key: string, window: Window): Promise<Counted> {
    const [counted] = await this.countAll([[key, window]])
    if (counted === undefined) throw new Error('Nothing was counted.')
    return counted
  }

  /**
   * Counts one more under each of some keys, in one statement. Where one is known to be over its limit nothing is
   * counted, and only that one is given.
   */
  async countAll(
    asked: readonly (readonly [key: string, window: Window])[]
  ): Promise<readonly (Counted & Readonly<{ window: Window }>)[]> {
    for (const [key, window] of asked) {
      const left = (this.#over.get(key) ?? 0) - performance.now()
      if (left > 0) return [{ window, count: window.most + 1, resetSeconds: Math.ceil(left / 1000) }]
    }
    const { knex, rows } = this.#database
    const states = new Map(
      (
        await rows(
          State,
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

  /** Takes back what was counted once. */
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
