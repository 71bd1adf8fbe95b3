import { closed, Count, nullable, Text, Type, type DataOf } from 'pantry/data'
import { BoosterRates, Result, sumOf } from './draw.ts'
import type { ProofsDatabase } from './merkle.ts'

/**
 * The least expected count of a cell. Rarer cells are merged, because the chi-square distribution is an approximation
 * (Cochran's rule).
 */
const minExpected = 5

type ChiSquare = Readonly<{ statistic: number; degrees: number }>

type Cell = Readonly<{ observed: number; weight: number }>

/** Returns the chi-square statistic (Pearson) of counts against weights, and its degrees of freedom. */
export function chiSquare(cells: readonly Cell[]): ChiSquare {
  const samples = sumOf(cells, ({ observed }) => observed)
  const weights = sumOf(cells, ({ weight }) => weight)
  if (samples === 0) return { statistic: 0, degrees: 0 }
  const groups: { observed: number; expected: number }[] = []
  for (const { observed, weight } of [...cells].sort((a, b) => a.weight - b.weight)) {
    const [last, expected] = [groups.at(-1), (samples * weight) / weights]
    if (last !== undefined && last.expected < minExpected)
      Object.assign(last, { observed: last.observed + observed, expected: last.expected + expected })
    else if (weight > 0) groups.push({ observed, expected })
  }
  const [last, before] = [groups.at(-1), groups.at(-2)]
  if (last !== undefined && before !== undefined && last.expected < minExpected) {
    groups.pop()
    Object.assign(before, { observed: before.observed + last.observed, expected: before.expected + last.expected })
  }
  return {
    statistic: sumOf(groups, ({ observed, expected }) => (observed - expected) ** 2 / expected),
    degrees: Math.max(0, groups.length - 1)
  }
}

/** Adds up statistics and degrees of freedom, as is permitted for independent samples. */
export const sumChiSquares = (parts: readonly ChiSquare[]): ChiSquare => ({
  statistic: sumOf(parts, ({ statistic }) => statistic),
  degrees: sumOf(parts, ({ degrees }) => degrees)
})

/** The logarithm of the gamma function at `twice` / 2, for an integer `twice` of at least 1. */
function logGammaOfHalf(twice: number): number {
  let sum = twice % 2 === 0 ? 0 : Math.log(Math.PI) / 2
  for (let at = 2 - (twice % 2); at < twice; at += 2) sum += Math.log(at / 2)
  return sum
}

/** If half the statistic exceeds half the degrees of freedom by more, 1 minus the series rounds to 0. */
const farOut = 700

/**
 * The probability that chance alone gives this statistic or a larger one: 1 minus the regularised lower incomplete
 * gamma function, by its series (DLMF 8.11.4). `null` without degrees of freedom.
 */
export function pValue({ statistic, degrees }: ChiSquare): number | null {
  if (degrees === 0) return null
  const [x, shape] = [statistic / 2, degrees / 2]
  if (x === 0) return 1
  if (x > farOut + shape) return 0
  let [term, sum] = [1, 1]
  for (let step = 1; term > sum * 1e-17; step += 1) {
    term *= x / (shape + step)
    sum += term
  }
  return Math.min(1, Math.max(0, 1 - Math.exp(shape * Math.log(x) - x - logGammaOfHalf(degrees + 2) + Math.log(sum))))
}

/** How many days the report on fairness covers, and from how many draws on it shows counts. */
export const fairnessWindow = { days: 30, least: 30 } as const

/** An alert needs `least` draws of a set in the last `days` days and a p-value below `below`. */
const drift = { days: 7, least: 200, below: 0.0001 } as const

const countedIn = ['packs in a hundred', 'cards in a hundred packs'] as const
const Counted = closed({
  name: Text,
  expected_percent: Type.Number({ description: 'As many as `unit` says; more than 100 where a pack has several.' }),
  unit: Type.Enum(countedIn),
  observed: nullable(Count)
})
const SetFairness = closed({
  game: Text,
  set: Text,
  rates_digest: Text,
  draws: nullable(Count),
  enough_samples: Type.Boolean(),
  packs: Type.Array(Counted),
  rarities: Type.Array(Counted),
  chi_square: nullable(Type.Number()),
  degrees_of_freedom: nullable(Count),
  p_value: nullable(Type.Number())
})
type SetFairness = DataOf<typeof SetFairness>

const Looked = closed({ from: Text, until: Text, batch: Count })

export const Fairness = closed({
  '@kind': Type.Literal('draw-fairness'),
  window_days: Count,
  min_samples: Count,
  from: Type.String({ description: 'Draws that were opened after this time are counted,' }),
  until: Text,
  batch: Type.Integer({
    minimum: 0,
    description: 'up to this batch of the chain; 0: there was none. So everyone can count them again.'
  }),
  opened: nullable(Count),
  expired: nullable(Count),
  sets: Type.Array(SetFairness),
  note: Text
})
export type Fairness = DataOf<typeof Fairness>

export const Drift = closed({ set: Text, rates_digest: Text, draws: Count, p_value: Type.Number(), window_days: Count })

const TallyRow = closed({ rates_digest: Text, result: Result, count: Count })
const RatesRow = closed({ digest: Text, rates: BoosterRates })

type Tally = Readonly<{ result: DataOf<typeof Result>; count: number }>
/** For each rates, the results that were drawn, with how often each was. */
export type Tallies = readonly (readonly [DataOf<typeof RatesRow>, readonly Tally[]])[]

const sum = (counts: readonly Tally[]): number => sumOf(counts, ({ count }) => count)

/**
 * Returns the sum of one statistic for the kind of pack and one for each place in each kind; the choices are
 * independent.
 */
const statisticOf = ({ packs }: BoosterRates, tally: readonly Tally[]): ChiSquare =>
  sumChiSquares([
    chiSquare(
      packs.map(({ name, weight }) => ({ weight, observed: sum(tally.filter(({ result }) => result.pack === name)) }))
    ),
    ...packs.flatMap(({ name, places }) => {
      const ofPack = tally.filter(({ result }) => result.pack === name)
      return places.map(({ rarities }, place) =>
        chiSquare(
          rarities.map(({ rarity, weight }) => ({
            weight,
            observed: sum(ofPack.filter(({ result }) => result.rarities[place] === rarity))
          }))
        )
      )
    })
  ])

const few = (count = 0): number | null => (count >= fairnessWindow.least ? count : null)
const share = (weight: number, all: readonly Readonly<{ weight: number }>[]): number =>
  weight / sumOf(all, other => other.weight)
const percent = (of: number): number => Math.round(of * 1e6) / 1e4
/** Rounds to 9 decimals, because the last digits of logarithms differ between machines. */
const rounded = (of: number): number => Math.round(of * 1e9) / 1e9

/** Returns the expected number of cards of each rarity in a pack, averaged over the kinds of packs by their weights. */
function expectedCards({ packs }: BoosterRates): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const pack of packs) {
    for (const { rarities } of pack.places)
      for (const { rarity, weight } of rarities)
        found.set(rarity, (found.get(rarity) ?? 0) + share(pack.weight, packs) * share(weight, rarities))
  }
  return found
}

function fairnessOf({ digest, rates }: DataOf<typeof RatesRow>, tally: readonly Tally[]): SetFairness {
  const draws = sum(tally)
  const isEnough = draws >= fairnessWindow.least
  const shown = (observed: number): number | null => (isEnough ? observed : null)
  const chi = statisticOf(rates, tally)
  const p = pValue(chi)
  return {
    game: rates.game,
    set: rates.set,
    rates_digest: digest,
    draws: shown(draws),
    enough_samples: isEnough,
    packs: rates.packs.map(({ name, weight }) => ({
      name,
      expected_percent: percent(share(weight, rates.packs)),
      unit: countedIn[0],
      observed: shown(sum(tally.filter(({ result }) => result.pack === name)))
    })),
    rarities: [...expectedCards(rates)].map(([name, expected]) => ({
      name,
      expected_percent: percent(expected),
      unit: countedIn[1],
      observed: shown(
        sumOf(tally, ({ result, count }) => count * result.rarities.filter(rarity => rarity === name).length)
      )
    })),
    chi_square: isEnough ? rounded(chi.statistic) : null,
    degrees_of_freedom: shown(chi.degrees),
    p_value: isEnough && p !== null ? rounded(p) : null
  }
}

/** Returns the part of the report that follows from the draws alone; counts below the minimum are withheld. */
export const fairnessOfDraws = (tallies: Tallies): Omit<Fairness, 'from' | 'until' | 'batch' | 'expired'> => ({
  '@kind': 'draw-fairness',
  window_days: fairnessWindow.days,
  min_samples: fairnessWindow.least,
  opened: few(sumOf(tallies, ([, tally]) => sum(tally))),
  sets: tallies
    .map(([rates, tally]) => fairnessOf(rates, tally))
    .sort((a, b) => (a.set === b.set ? (a.rates_digest < b.rates_digest ? -1 : 1) : a.set < b.set ? -1 : 1)),
  note: 'A p-value says how often chance alone differs so much from the rates: among twenty sets one below 0.05 is usual. `unit` says what `expected_percent` counts: for a rarity that is cards in a hundred packs, so it may be more than 100.'
})

/** Returns the time span of the last `days` days, and the number of the newest batch. */
async function lookBack({ rows, knex }: ProofsDatabase, days: number): Promise<DataOf<typeof Looked>> {
  const [looked] = await rows(
    Looked,
    knex.raw(
      `select date_trunc('milliseconds', now() - ? * interval '24 hours') as "from", date_trunc('milliseconds', now()) as until, coalesce(max(batch), 0) as batch from proof_batches`,
      [days]
    )
  )
  if (looked === undefined) throw new Error('A greatest number is a row.')
  return looked
}

async function talliesOf({ rows, knex }: ProofsDatabase, { from, batch }: DataOf<typeof Looked>): Promise<Tallies> {
  const found = await rows(
    TallyRow,
    knex.raw(
      'select rates_digest, result, count(*) as count from draws where opened_at > ? and batch <= ? group by rates_digest, result',
      [from, batch]
    )
  )
  const digests = found.map(({ rates_digest: digest }) => digest)
  const known = await rows(RatesRow, knex('draw_rates').select('digest', 'rates').whereIn('digest', digests))
  return known.map(rates => [rates, found.filter(({ rates_digest: digest }) => digest === rates.digest)] as const)
}

/** Reports on the draws that were opened in the last 30 days and are in the chain. */
export async function fairness(read: ProofsDatabase): Promise<Fairness> {
  const looked = await lookBack(read, fairnessWindow.days)
  const [unopened] = await read.rows(
    closed({ expired: Count }),
    read.knex.raw(
      "select count(*) as expired from draws where opened_at is null and begun_at < now() - interval '1 hour' and begun_at > ?",
      [looked.from]
    )
  )
  return { ...looked, expired: few(unopened?.expired), ...fairnessOfDraws(await talliesOf(read, looked)) }
}

/** Returns the sets whose results of the last 7 days chance hardly explains, as `drift` defines it. */
export async function driftOf(read: ProofsDatabase): Promise<readonly DataOf<typeof Drift>[]> {
  return (await talliesOf(read, await lookBack(read, drift.days))).flatMap(([{ digest, rates }, tally]) => {
    const [draws, p] = [sum(tally), pValue(statisticOf(rates, tally))]
    return draws >= drift.least && p !== null && p < drift.below
      ? [{ set: rates.set, rates_digest: digest, draws, p_value: p, window_days: drift.days }]
      : []
  })
}
