import { isObject, sha256Hex, type JsonValue } from 'pantry/data'

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

type DrawnCard<Card> = Readonly<{ card: Card; orientation: 'upright' | 'reversed' }>

/**
 * Draws from a shuffled deck (Fisher–Yates). The order depends only on the seed, so a larger spread begins with the
 * cards of a smaller one.
 */
export function drawCards<Card>(deck: readonly Card[], seed: string, count: number): readonly DrawnCard<Card>[] {
  const dice = new Dice(`tarot.draw/1 ${seed}`)
  const pack = [...deck]
  return Array.from({ length: Math.min(count, pack.length) }, () =>
    pack
      .splice(dice.whole(0, pack.length - 1), 1)
      .map((card): DrawnCard<Card> => ({ card, orientation: dice.next() < 0.5 ? 'upright' : 'reversed' }))
  ).flat()
}

/** Returns the list in an enveloped response (by default that of the tarot), or else all of `data`. */
export function subjectOf(body: string, list = 'draws'): JsonValue {
  const { data } = JSON.parse(body) as { data: JsonValue }
  return isObject(data) ? (data[list] ?? data) : data
}
