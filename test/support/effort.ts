const isLong = process.env['PANTRY_TEST_EFFORT'] === 'long'

/** Of all that is tried by chance, where one was given (`--seed`): the same seed tries the same. */
export const seed: number | undefined = process.env['PANTRY_TEST_SEED'] === undefined ? undefined : Number(process.env['PANTRY_TEST_SEED'])

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function seeded (from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Like Math.random, or as the seed says. */
export const chance: () => number = seed === undefined ? Math.random : seeded(seed)

/**
 * How often something random is tried: a tenth, unless the run is a long one (`npm run test:long`). The seeds of fast-check differ
 * from run to run, so many short runs try as much as one long one. A test that calls this is in both tiers.
 */
export const times = (inLongRuns: number): number => isLong ? inLongRuns : Math.ceil(inLongRuns / 10)

/** Some of a list, chosen by chance: a quarter, unless the run is a long one. What is left out now is tried in one of the next runs. */
export const someOf = <T>(all: readonly T[]): readonly T[] => {
  if (isLong) return all
  const left = [...all]
  return Array.from({ length: Math.ceil(all.length / 4) }, () => left.splice(Math.floor(chance() * left.length), 1)).flat()
}

/** A tenth of a list, unless the run is a long one: ten seeds that follow each other, as those of CI do, try all of it. */
export const inTurns = <T>(all: readonly T[]): readonly T[] => isLong || seed === undefined ? all : all.filter((_, place) => (place + seed) % 10 === 0)
