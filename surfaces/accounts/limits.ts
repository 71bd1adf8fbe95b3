import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller, Counted } from 'pantry/data'
import type { Database } from 'pantry/database'
import { personLimit, windowSeconds } from './tiers.ts'
import { Windows, type Window } from './windows.ts'

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
