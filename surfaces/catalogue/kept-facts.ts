import { Text } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

const columns = [Text, Text] as const
const mostKept = 64

const beginOfMinute = (now: Date): Date => new Date(now.getTime() - (now.getTime() % 60_000))

/**
 * Facts that follow from the catalogue alone, computed once for each of its states. Every read looks up which state it
 * is, which is one small statement for all requests of a turn of the event loop, so nothing older than what that
 * statement sees is given. Values are shared: do not change them.
 */
export class KeptFacts {
  readonly #state: Loader<RowOf<typeof columns>>
  readonly #moves: () => number
  /** The one used last is the last. */
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

  /** What follows from the catalogue and the clock, as it is at the beginning of the minute. */
  async ofMinute<T>(key: string, now: Date, compute: (minute: Date) => Promise<T>): Promise<T> {
    const minute = beginOfMinute(now)
    return await this.of(`${key} ${minute.toISOString()}`, () => compute(minute))
  }

  /**
   * Which state the catalogue is in. Another server than the one that says it may know less, so what was begun before a
   * move counts no more after it.
   */
  async version(): Promise<string> {
    const moves = this.#moves()
    return `${moves} ${(await this.#state.load('catalogue'))?.[1] ?? ''}`
  }

  /** The same for what follows from the clock too, as it is at the beginning of the minute. */
  async versionOfMinute(now: Date): Promise<string> {
    return `${await this.version()} ${beginOfMinute(now).toISOString()}`
  }

  /** `key` names what `compute` answers. A failure is not kept. */
  async of<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const version = await this.version()
    // What follows from an earlier state is of no use, and it may be of a source that was forgotten.
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
