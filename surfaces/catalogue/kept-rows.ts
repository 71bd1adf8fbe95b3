import type { KeptFacts } from './kept-facts.ts'

type KeptVersion = Pick<KeptFacts, 'version' | 'atVersion'>

/** The number of keys per generation. Two full generations of cards in brief take about 10 MB. */
const mostOfAge = 5000

/**
 * A cache of rows that is emptied when the version of the catalogue changes. It has two generations: a key is dropped
 * when a whole generation of other keys was used after it. Rows are shared, so callers must not change them.
 */
export class KeptRows<Row> {
  readonly #kept: KeptVersion
  readonly #load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>
  #version = ''
  #young = new Map<string, Row>()
  #old = new Map<string, Row>()

  /** Creates a cache; `load` reads rows in the order of the keys. */
  constructor(kept: KeptVersion, load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>) {
    this.#kept = kept
    this.#load = load
  }

  /** Returns the rows in the order of the keys. A key without a row is queried each time. */
  async of(keys: readonly string[]): Promise<readonly (Row | undefined)[]> {
    const before = await this.#kept.version()
    const rows = this.#findAll(keys, before)
    if (!rows.includes(undefined)) return rows
    // Rows newer than their version are harmless, but older ones would stay cached.
    return await this.#kept.atVersion(before, async version => {
      const known = this.#findAll(keys, version)
      const missing = keys.filter((_, index) => known[index] === undefined)
      const read = new Map((await this.#load(missing)).map((row, index) => [missing[index] ?? '', row]))
      if (version === this.#version) for (const [key, row] of read) if (row !== undefined) this.#keep(key, row)
      return keys.map((key, index) => known[index] ?? read.get(key))
    })
  }

  /** Returns the cached rows of a version; those of another one are dropped. */
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
    if (this.#young.size >= mostOfAge) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, row)
  }
}
