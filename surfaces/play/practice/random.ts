import { createHash } from 'node:crypto'

/**
 * The state of a random number generator: four unsigned 32-bit integers. It is immutable; drawing returns the next
 * state.
 */
export type Random = readonly [number, number, number, number]

/** Returns the generator for a seed; the same on every machine. */
export function seeded(seed: string): Random {
  const digest = createHash('sha256').update(`practice/1\n${seed}`).digest()
  return [digest.readUInt32BE(0), digest.readUInt32BE(4), digest.readUInt32BE(8), digest.readUInt32BE(12)]
}

/** Returns a number from 0 up to but not including 1, and the next state (sfc32 by Chris Doty-Humphrey). */
export function draw([a, b, c, counter]: Random): readonly [number, Random] {
  const sum = (a + b + counter) | 0
  return [
    (sum >>> 0) / 2 ** 32,
    [(b ^ (b >>> 9)) >>> 0, (c + (c << 3)) >>> 0, (((c << 21) | (c >>> 11)) + sum) >>> 0, (counter + 1) >>> 0]
  ]
}

/** Returns an integer from 0 up to but not including `bound`, and the next state. */
export function pick(random: Random, bound: number): readonly [number, Random] {
  const [value, next] = draw(random)
  return [Math.floor(value * bound), next]
}

/** Shuffles a copy of the items (Fisher–Yates), and returns the next state too. */
export function shuffle<T>(items: readonly T[], random: Random): readonly [T[], Random] {
  const order = [...items]
  let next = random
  for (let last = order.length - 1; last > 0; last--) {
    const [other, after] = pick(next, last + 1)
    next = after
    const [moved] = order.splice(other, 1)
    if (moved !== undefined) order.splice(last, 0, moved)
  }
  return [order, next]
}
