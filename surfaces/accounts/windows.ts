import { closed, Type } from 'pantry/data'
import type { Database } from 'pantry/database'

/** So many in so many seconds. */
export type Window = Readonly<{ most: number, seconds: number }>

/** How often something was counted in its window, this time included, and when the window ends. */
type Counted = Readonly<{ count: number, resetSeconds: number }>

const State = closed({ points: Type.Integer(), left_ms: Type.Integer() })

/** More of those who are over their limit are not remembered: then they are counted again. */
const mostRemembered = 10_000

/** Counts in windows that all processes over one database share. A window begins with the first request in it. The clock is that of the database, so that none of a process counts. */
export class Windows {
  readonly #database: Pick<Database, 'knex' | 'rows'>
  /** Until when whoever is over the limit need not be counted, in milliseconds of this process. */
  readonly #over = new Map<string, number>()

  constructor (database: Pick<Database, 'knex' | 'rows'>) { this.#database = database }

  /** Counts one more under a key. */
  async count (key: string, { most, seconds }: Window): Promise<Counted> {
    const left = (this.#over.get(key) ?? 0) - performance.now()
    if (left > 0) return { count: most + 1, resetSeconds: Math.ceil(left / 1000) }
    const { knex, rows } = this.#database
    const [state] = await rows(State, knex.raw(`
      insert into rate_limits as held (key, points, expire) values (:key, 1, extract(epoch from clock_timestamp()) * 1000 + :ms) on conflict (key) do update set
        points = case when held.expire <= excluded.expire - :ms then 1 else least(held.points, :most) + 1 end,
        expire = case when held.expire <= excluded.expire - :ms then excluded.expire else least(held.expire, excluded.expire) end
      returning points, greatest(expire - extract(epoch from clock_timestamp()) * 1000, 1)::int as left_ms`, { key, most, ms: seconds * 1000 }))
    if (state === undefined) throw new Error('Nothing was counted.')
    if (state.points > most) this.#remember(key, state.left_ms)
    return { count: state.points, resetSeconds: Math.ceil(state.left_ms / 1000) }
  }

  /** Takes back what was counted once. */
  async takeBack (key: string): Promise<void> {
    const { knex } = this.#database
    this.#over.delete(key)
    await knex('rate_limits').where({ key }).update({ points: knex.raw('greatest(points - 1, 0)') })
  }

  #remember (key: string, leftMs: number): void {
    if (this.#over.size >= mostRemembered) this.#over.clear()
    this.#over.set(key, performance.now() + leftMs)
  }
}
