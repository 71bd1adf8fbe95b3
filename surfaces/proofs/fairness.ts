import { closed, Count, nullable, Text, Type, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import { BoosterRates } from './booster-rates.ts'
import { chiSquare, pValue, together, type ChiSquare } from './chi-square.ts'
import { Result } from './receipt.ts'

/** Days of one look, and how few draws are not told apart. */
const window = { days: 30, least: 30 } as const

/** When so many draws of a set fit their rates so badly, somebody should look. */
const drift = { days: 7, least: 200, below: 0.0001 } as const

const Counted = closed({ name: Text, expected_percent: Type.Number(), observed: nullable(Count) })
const SetFairness = closed({
  game: Text, set: Text, rates_digest: Text, draws: nullable(Count), enough_samples: Type.Boolean(), packs: Type.Array(Counted), rarities: Type.Array(Counted),
  chi_square: nullable(Type.Number()), degrees_of_freedom: nullable(Count), p_value: nullable(Type.Number())
})
type SetFairness = DataOf<typeof SetFairness>

/** How what was drawn compares with the rates. */
export const Fairness = closed({
  '@kind': Type.Literal('draw-fairness'), window_days: Count, min_samples: Count, opened: nullable(Count), expired: nullable(Count), sets: Type.Array(SetFairness), note: Text
})

/** Draws of a set that fit its rates badly. */
export const Drift = closed({ set: Text, rates_digest: Text, draws: Count, p_value: Type.Number(), window_days: Count })

const TallyRow = closed({ rates_digest: Text, result: Result, count: Count })
const RatesRow = closed({ digest: Text, rates: BoosterRates })
const TotalRow = closed({ opened: Count, expired: Count })

type Tally = Readonly<{ result: DataOf<typeof Result>, count: number }>
type Read = Pick<Database, 'knex' | 'rows'>

const sum = (counts: readonly Tally[]): number => counts.reduce((total, { count }) => total + count, 0)

/** One statistic for each choice that was made: of the pack, and of each place in it. They are independent, so they add up. */
const statisticOf = ({ packs }: BoosterRates, tally: readonly Tally[]): ChiSquare => together([
  chiSquare(packs.map(({ name, weight }) => ({ weight, observed: sum(tally.filter(({ result }) => result.pack === name)) }))),
  ...packs.flatMap(({ name, places }) => {
    const ofPack = tally.filter(({ result }) => result.pack === name)
    return places.map(({ rarities }, place) => chiSquare(rarities.map(({ rarity, weight }) => ({ weight, observed: sum(ofPack.filter(({ result }) => result.rarities[place] === rarity)) }))))
  })
])

const share = (weight: number, all: readonly Readonly<{ weight: number }>[]): number => weight / all.reduce((total, one) => total + one.weight, 0)
const percent = (of: number): number => Math.round(of * 1e6) / 1e4

/** Expected cards of each rarity in a hundred packs, of whatever kind. */
function expectedCards ({ packs }: BoosterRates): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const pack of packs) {
    for (const { rarities } of pack.places) for (const { rarity, weight } of rarities) found.set(rarity, (found.get(rarity) ?? 0) + share(pack.weight, packs) * share(weight, rarities))
  }
  return found
}

function fairnessOf ({ digest, rates }: DataOf<typeof RatesRow>, tally: readonly Tally[]): SetFairness {
  const draws = sum(tally)
  const isEnough = draws >= window.least
  const shown = (observed: number): number | null => isEnough ? observed : null
  const { statistic, degrees } = statisticOf(rates, tally)
  return {
    game: rates.game, set: rates.set, rates_digest: digest, draws: shown(draws), enough_samples: isEnough,
    packs: rates.packs.map(({ name, weight }) => ({ name, expected_percent: percent(share(weight, rates.packs)), observed: shown(sum(tally.filter(({ result }) => result.pack === name))) })),
    rarities: [...expectedCards(rates)].map(([name, expected]) => ({ name, expected_percent: percent(expected), observed: shown(tally.reduce((total, { result, count }) => total + count * result.rarities.filter(one => one === name).length, 0)) })),
    chi_square: isEnough ? statistic : null, degrees_of_freedom: shown(degrees), p_value: isEnough ? pValue({ statistic, degrees }) : null
  }
}

/** What was drawn in so many days, by rates: draws that are alike are one row. */
async function talliesOf ({ rows, knex }: Read, days: number): Promise<readonly (readonly [DataOf<typeof RatesRow>, readonly Tally[]])[]> {
  const found = await rows(TallyRow, knex.raw("select rates_digest, result, count(*) as count from draws where opened_at > now() - ? * interval '1 day' group by rates_digest, result", [days]))
  const known = await rows(RatesRow, knex('draw_rates').select('digest', 'rates').whereIn('digest', found.map(({ rates_digest: digest }) => digest)))
  return known.map(one => [one, found.filter(({ rates_digest: digest }) => digest === one.digest)] as const)
}

/** Whether draws of the last 30 days fit the rates. Few draws are withheld. */
export async function fairness (read: Read): Promise<DataOf<typeof Fairness>> {
  const tallies = await talliesOf(read, window.days)
  const [total] = await read.rows(TotalRow, read.knex.raw(
    "select count(*) filter (where opened_at is not null) as opened, count(*) filter (where opened_at is null and begun_at < now() - interval '1 hour') as expired from draws where begun_at > now() - ? * interval '1 day'", [window.days]))
  const few = (count = 0): number | null => count >= window.least ? count : null
  return {
    '@kind': 'draw-fairness', window_days: window.days, min_samples: window.least, opened: few(total?.opened), expired: few(total?.expired),
    sets: tallies.map(([rates, tally]) => fairnessOf(rates, tally)).sort((a, b) => a.set < b.set ? -1 : 1),
    note: 'A p-value says how often chance alone differs so much from the rates: among twenty sets one below 0.05 is usual. `expected_percent` of a rarity counts cards in a hundred packs.'
  }
}

/** Sets whose draws of the last days fit their rates so badly that chance is no explanation. */
export async function driftOf (read: Read): Promise<readonly DataOf<typeof Drift>[]> {
  return (await talliesOf(read, drift.days)).flatMap(([{ digest, rates }, tally]) => {
    const [draws, p] = [sum(tally), pValue(statisticOf(rates, tally))]
    return draws >= drift.least && p !== null && p < drift.below ? [{ set: rates.set, rates_digest: digest, draws, p_value: p, window_days: drift.days }] : []
  })
}
