import { sha256Hex } from 'pantry/data'

/** A pseudo-random generator that is the same on every machine: SHA-256 over the seed and a counter. */
export class Dice {
  readonly #seed: string
  #block = ''
  #count = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** Returns a number from 0 up to but not including 1. */
  next(): number {
    if (this.#block.length < 8) this.#block = sha256Hex(`${this.#seed}:${this.#count++}`)
    const word = this.#block.slice(0, 8)
    this.#block = this.#block.slice(8)
    return Number.parseInt(word, 16) / 0x100000000
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** Returns an integer between the bounds, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }
}
