import type { KeptFacts } from './kept-facts.ts'

/** The number of keys per generation. Two full generations of cards in brief take about 10 MB. */
const mostOfAge = 5000

/**
 * A cache of rows that is emptied when the version of the catalogue changes. It has two generations: a key is dropped
 * when a whole generation of other keys was used after it. Rows are shared, so callers must not change them.
 */
export class KeptRows<Row> {
  readonly #kept: Pick<KeptFacts, 'version'>
  readonly #load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>
  #version = ''
  #young = new Map<string, Row>()
  #old = new Map<string, Row>()

  /** Creates a cache; `load` reads rows in the order of the keys. */
  constructor(
    kept: Pick<KeptFacts, 'version'>,
    load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>
  ) {
    this.#kept = kept
    this.#load = load
  }

  /** Returns the rows in the order of the keys. A key without a row is queried each time. */
  async of(keys: readonly string[]): Promise<readonly (Row | undefined)[]> {
    // The version is read before the rows: rows newer than their version are harmless, but older ones would stay
    // cached.
    const version = await this.#kept.version()
    if (version !== this.#version) {
      this.#version = version
      this.#young = new Map()
      this.#old = new Map()
    }
    const rows = keys.map(key => this.#find(key))
    const missing = keys.filter((_, index) => rows[index] === undefined)
    if (missing.length === 0) return rows
    const read = new Map((await this.#load(missing)).map((row, index) => [missing[index] ?? '', row]))
    if (version === this.#version) for (const [key, row] of read) if (row !== undefined) this.#keep(key, row)
    return keys.map((key, index) => rows[index] ?? read.get(key))
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
