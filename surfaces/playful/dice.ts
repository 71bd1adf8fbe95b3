import { sha256Hex } from 'pantry/data'

/** Numbers that follow from a seed alone, the same on every machine: bytes of SHA-256 over the seed and a counter. */
export class Dice {
  readonly #seed: string
  #block = ''
  #count = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** At least 0, below 1. */
  next(): number {
    if (this.#block.length < 8) this.#block = sha256Hex(`${this.#seed}:${this.#count++}`)
    const word = this.#block.slice(0, 8)
    this.#block = this.#block.slice(8)
    return Number.parseInt(word, 16) / 0x100000000
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }
}
