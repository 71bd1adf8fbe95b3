import { chanceSeed } from '../run/chance.ts'
import { Dice } from './malformed.ts'

const isLong = process.env['PANTRY_TEST_EFFORT'] === 'long'

/** Of all that is tried by chance, where one was given (`--seed`): the same seed tries the same. */
export const seed: number | undefined =
  process.env['PANTRY_TEST_SEED'] === undefined ? undefined : Number(process.env['PANTRY_TEST_SEED'])

const dice = new Dice(chanceSeed)

/**
 * How often something random is tried: a tenth, unless the run is a long one (`npm run test:long`). The seeds of
 * fast-check differ from run to run, so many short runs try as much as one long one. A test that calls this is in both
 * tiers.
 */
export const times = (inLongRuns: number): number => (isLong ? inLongRuns : Math.ceil(inLongRuns / 10))

/**
 * Some of a list, chosen by chance: a quarter, unless the run is a long one. What is left out now is tried in one of
 * the next runs.
 */
export const someOf = <T>(all: readonly T[]): readonly T[] => {
  if (isLong) return all
  const left = [...all]
  return Array.from({ length: Math.ceil(all.length / 4) }, () => left.splice(dice.below(left.length), 1)).flat()
}

/**
 * A part of a list, unless the run is a long one: as many seeds that follow each other as there are turns, as those of
 * CI do, try all of it.
 */
export const inTurns = <T>(all: readonly T[], turns = 10): readonly T[] =>
  isLong || seed === undefined ? all : all.filter((_, place) => (place + seed) % turns === 0)
