import { Text } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

const columns = [Text, Text] as const
const mostKept = 64

const beginOfMinute = (now: Date): Date => new Date(now.getTime() - (now.getTime() % 60_000))

/**
 * A cache of facts that depend only on the catalogue, computed once per version of it. Every read first queries the
 * version, with one small query for all requests in a turn of the event loop, so results are never older than that.
 * Values are shared, so callers must not change them.
 */
export class KeptFacts {
  readonly #state: Loader<RowOf<typeof columns>>
  readonly #moves: () => number
  /** Least recently used first. */
  readonly #kept = new Map<string, Promise<unknown>>()
  #latest = ''

  constructor({ reader }: Pick<Database, 'reader'>) {
    this.#moves = reader.moves
    this.#state = reader.createLoader({
      name: 'catalogue_state',
      sql: 'select name, version::text from catalogue_state where name = any($1)',
      columns,
      keyOf: row => row[0]
    })
  }

  /** Returns a fact that depends on the catalogue and the clock, computed for the start of the current minute. */
  async ofMinute<T>(key: string, now: Date, compute: (minute: Date) => Promise<T>): Promise<T> {
    const minute = beginOfMinute(now)
    return await this.of(`${key} ${minute.toISOString()}`, () => compute(minute))
  }

  /**
   * Returns the version of the catalogue. It includes the number of moves between database servers, because a replica
   * may lag behind: results from before a move are discarded.
   */
  async version(): Promise<string> {
    const moves = this.#moves()
    return `${moves} ${(await this.#state.load('catalogue'))?.[1] ?? ''}`
  }

  /** Returns the version of facts that also depend on the clock: it changes every minute. */
  async versionOfMinute(now: Date): Promise<string> {
    return `${await this.version()} ${beginOfMinute(now).toISOString()}`
  }

  /** Returns the result of `compute`, cached under `key`. A failure is not cached. */
  async of<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const version = await this.version()
    // Results of an earlier version are dropped, also because they may contain data of a forgotten source.
    if (version !== this.#latest) this.#kept.clear()
    this.#latest = version
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    const entry = known ?? compute()
    this.#kept.set(key, entry)
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value ?? '')
    try {
      return (await entry) as T
    } catch (error) {
      if (this.#kept.get(key) === entry) this.#kept.delete(key)
      throw error
    }
  }
}
