import type { Rounds, Sample } from './rounds.ts'
import type { Comparison, Scenario } from './scenarios.ts'

export type Unit = 'times' | 'us' | 'x node -e 0' | 'MB'

type Details = Readonly<{
  pantry: number
  other?: number
  database: number
  utilisation: number
  dirty: number
  repeated: number
  wrong: number
}>

/** One number that was measured once in each round, and what it should be. */
export type Figure = Readonly<{
  scenario: string
  about: string
  /** What it is compared with, or what is counted. */
  of: string
  unit: Unit
  least?: number
  most?: number
  values: readonly number[]
  /**
   * How it came about: times of processors in microseconds for each request, the part of the time in which the server
   * worked, rounds that were disturbed.
   */
  details?: Details
}>

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Whether the median reaches the goal; nothing where there is none. */
export function isMet({ least, most, values }: Pick<Figure, 'least' | 'most' | 'values'>): boolean | undefined {
  const found = median(values)
  return least === undefined && most === undefined
    ? undefined
    : found >= (least ?? -Infinity) && found <= (most ?? Infinity)
}

const sum = (samples: readonly Sample[], value: (sample: Sample) => number): number =>
  samples.reduce((total, sample) => total + value(sample), 0)

function detailsOf(pantry: readonly Sample[], other?: readonly Sample[]): Details {
  const both = [...pantry, ...(other ?? [])]
  const of = (samples: readonly Sample[], value: (sample: Sample) => number): number => median(samples.map(value))
  return {
    pantry: of(pantry, ({ server }) => server),
    ...(other === undefined ? {} : { other: of(other, ({ server }) => server) }),
    database: of(pantry, ({ database }) => database),
    utilisation: of(pantry, ({ utilisation }) => utilisation),
    dirty: pantry.filter(({ isDirty }, round) => isDirty || other?.[round]?.isDirty === true).length,
    repeated: sum(both, ({ repeated }) => repeated),
    wrong: sum(both, ({ wrong }) => wrong)
  }
}

/** The figures of a scenario: what a request costs, and each comparison. Ratios are made inside a round. */
function figuresOf(
  { name: scenario, about, budget, beside = [] }: Scenario,
  found: Readonly<Record<string, readonly Sample[]>>
): Figure[] {
  const pantry = found['pantry'] ?? []
  const compared = ({ to, least, most }: Comparison): Figure => {
    const other = found[to] ?? []
    return {
      scenario,
      about,
      of: to,
      unit: 'times',
      ...(least === undefined ? {} : { least }),
      ...(most === undefined ? {} : { most }),
      values: pantry.map(({ server }, round) => (other[round]?.server ?? Number.NaN) / server),
      details: detailsOf(pantry, other)
    }
  }
  const cost: Figure = {
    scenario,
    about,
    of: 'server + database',
    unit: 'us',
    ...(budget === undefined ? {} : { most: budget }),
    values: pantry.map(({ server, database }) => server + database),
    details: detailsOf(pantry)
  }
  return [...beside.map(compared), ...(budget === undefined && beside.length > 0 ? [] : [cost])]
}

export const requestFigures = (wanted: readonly Scenario[], rounds: Rounds): readonly Figure[] =>
  wanted.flatMap(scenario => figuresOf(scenario, rounds[scenario.name] ?? {}))
