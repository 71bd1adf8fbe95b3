import type { KeptFacts } from './kept-facts.ts'

/** Keys of one generation. Rows are small: two generations of cards in brief take about ten megabytes. */
const mostOfAge = 5000

/**
 * Rows that are asked for often, for as long as the catalogue stays in the state in which they were read. The youngest
 * keys stay: what is not asked for while as many others are as a generation holds is forgotten. Rows are shared: do not
 * change them.
 */
export class KeptRows<Row> {
  readonly #kept: Pick<KeptFacts, 'version'>
  readonly #load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>
  #version = ''
  #young = new Map<string, Row>()
  #old = new Map<string, Row>()

  /** `load` reads rows in the order of the keys. */
  constructor(
    kept: Pick<KeptFacts, 'version'>,
    load: (keys: readonly string[]) => Promise<readonly (Row | undefined)[]>
  ) {
    this.#kept = kept
    this.#load = load
  }

  /** Rows in the order of the keys. What has no row is asked for each time. */
  async of(keys: readonly string[]): Promise<readonly (Row | undefined)[]> {
    // The version comes before the rows: rows that are newer than their version are harmless, older ones would stay.
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
