import { Text } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

const columns = [Text, Text] as const
const maxEntries = 64

const beginOfMinute = (now: Date): Date => new Date(now.getTime() - (now.getTime() % 60_000))

/**
 * A cache of facts that depend only on the catalogue, computed once for each version of it. Every read first queries
 * the version, with one small query for all requests in a turn of the event loop, so no result is older than that
 * version. Values are shared, so callers must not change them.
 */
export class CatalogueCache {
  readonly #inSnapshot: Database['inSnapshot']
  readonly #state: Loader<RowOf<typeof columns>>
  /** Results by key, least recently used first. */
  readonly #kept = new Map<string, Promise<unknown>>()
  /** The computations that are running, by version and key. */
  readonly #made = new Map<string, Promise<{ current: string; fact: unknown }>>()
  #latest = ''

  constructor({ reader, inSnapshot }: Pick<Database, 'reader' | 'inSnapshot'>) {
    this.#inSnapshot = inSnapshot
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

  /** Returns the version of the catalogue. */
  async version(): Promise<string> {
    return (await this.#state.load('catalogue'))?.[1] ?? ''
  }

  /** Returns the version of facts that also depend on the clock: it changes with the catalogue and every minute. */
  async versionOfMinute(now: Date): Promise<string> {
    return `${await this.version()} ${beginOfMinute(now).toISOString()}`
  }

  /** Returns the result of `compute`, cached under `key`. A failure is not cached. */
  async of<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const version = await this.version()
    const known = this.#find(version, key)
    if (known !== undefined) return (await known) as T
    const made = await this.#making(version, key, compute)
    return made === undefined ? await compute() : (made.fact as T)
  }

  /**
   * Computes a fact once for all concurrent callers with the same version and key. `undefined` when no further snapshot
   * may be read, or when the computation of another caller was made with another version.
   */
  async #making(version: string, key: string, compute: () => Promise<unknown>): Promise<{ fact: unknown } | undefined> {
    const name = `${version} ${key}`
    const others = this.#made.get(name)
    const made =
      others ??
      this.atVersion(version, async current => ({
        current,
        fact: await (this.#find(current, key) ?? this.#keep(key, compute()))
      }))
    if (made === undefined) return undefined
    this.#made.set(name, made)
    try {
      const { current, fact } = await made
      return others === undefined || current === version ? { fact } : undefined
    } finally {
      if (this.#made.get(name) === made) this.#made.delete(name)
    }
  }

  /**
   * Runs `work` with the version of the rows that it reads. Where reads go to a server of their own, `work` runs in a
   * snapshot, whose version may differ from `known`, the version that was read before. Returns `undefined` without
   * running `work` while too many snapshots are read.
   */
  atVersion<T>(known: string, work: (version: string) => Promise<T>): Promise<T> | undefined {
    return this.#inSnapshot === undefined ? work(known) : this.#inSnapshot(async () => await work(await this.version()))
  }

  /**
   * Returns the cached result of a key. Results of another version are dropped first, also because they may contain
   * data of a forgotten source.
   */
  #find(version: string, key: string): Promise<unknown> | undefined {
    if (version !== this.#latest) this.#kept.clear()
    this.#latest = version
    const known = this.#kept.get(key)
    if (known !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
    }
    return known
  }

  async #keep(key: string, entry: Promise<unknown>): Promise<unknown> {
    this.#kept.set(key, entry)
    if (this.#kept.size > maxEntries) this.#kept.delete(this.#kept.keys().next().value ?? '')
    try {
      return await entry
    } catch (error) {
      if (this.#kept.get(key) === entry) this.#kept.delete(key)
      throw error
    }
  }
}

type CatalogueVersion = Pick<CatalogueCache, 'version' | 'atVersion'>

/** The number of keys per generation. Two full generations of cards in brief take about 10 MB. */
const maxGenerationSize = 5000

/**
 * A cache of rows that is emptied when the version of the catalogue changes. It has two generations: a key is dropped
 * when a whole generation of other keys was used after it. Rows are shared, so callers must not change them.
 */
export class RowCache<Row> {
  readonly #kept: CatalogueVersion
  readonly #load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>
  #version = ''
  #young = new Map<string, Row>()
  #old = new Map<string, Row>()

  /** Creates a cache; `load` reads rows in the order of the keys. */
  constructor(kept: CatalogueVersion, load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>) {
    this.#kept = kept
    this.#load = load
  }

  /** Returns the rows in the order of the keys. A key without a row is queried each time. */
  async of(keys: readonly string[]): Promise<readonly (Row | undefined)[]> {
    const before = await this.#kept.version()
    const rows = this.#findAll(keys, before)
    if (!rows.includes(undefined)) return rows
    const missing = keys.filter((_, index) => rows[index] === undefined)
    // The version was read before the rows, because rows newer than their version are harmless, but older ones would
    // stay cached.
    const made = this.#kept.atVersion(before, async version => {
      const read = await this.#read(missing)
      // Meanwhile another call may have emptied the cache for another version.
      if (version === this.#version) for (const [key, row] of read) if (row !== undefined) this.#keep(key, row)
      return { version, read }
    })
    const { version, read } = (await made) ?? { version: before, read: await this.#read(missing) }
    // All rows of one result must be of one version, so all are read again.
    if (version !== before) return await this.#load(keys)
    return keys.map((key, index) => rows[index] ?? read.get(key))
  }

  async #read(keys: readonly string[]): Promise<ReadonlyMap<string, Row | undefined>> {
    return new Map((await this.#load(keys)).map((row, index) => [keys[index] ?? '', row]))
  }

  /** Returns the cached rows of a version; if the cache holds another version, it is emptied first. */
  #findAll(keys: readonly string[], version: string): readonly (Row | undefined)[] {
    if (version !== this.#version) {
      this.#version = version
      this.#young = new Map()
      this.#old = new Map()
    }
    return keys.map(key => this.#find(key))
  }

  #find(key: string): Row | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const row = this.#old.get(key)
    if (row !== undefined) this.#keep(key, row)
    return row
  }

  #keep(key: string, row: Row): void {
    if (this.#young.size >= maxGenerationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, row)
  }
}
