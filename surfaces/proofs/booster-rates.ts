import { closed, hashCanonical, Text, Type, type DataOf } from 'pantry/data'
import type { BoosterGame } from '../directory/boosters.ts'
import { ratesOf } from '../directory/pull-rates.ts'
import type { Source } from '../import/source.ts'

const Weight = Type.Integer({
  minimum: 0,
  maximum: 2 ** 32,
  description: 'How often, against the sum of the weights beside it.'
})

/** The rates for draws of a set: the published rates as integers. */
export const BoosterRates = closed({
  '@kind': Type.Literal('booster-rates/1'),
  game: Text,
  set: Text,
  source: Text,
  packs: Type.Array(
    closed({
      name: Text,
      weight: Weight,
      places: Type.Array(
        closed({
          place: Text,
          rarities: Type.Array(closed({ rarity: Text, weight: Weight }), { minItems: 1, maxItems: 60 })
        }),
        { maxItems: 30 }
      )
    }),
    { minItems: 1, maxItems: 20 }
  )
})
export type BoosterRates = DataOf<typeof BoosterRates>

/** Rates with their digest. */
export type NamedRates = Readonly<{ digest: string; rates: BoosterRates }>

/** Converts a percentage, stated with up to four decimals, to an integer weight. */
const weightOf = (percent: number): number => Math.round(percent * 10_000)

/** Returns the rates of all sets whose sources state them by pack and place, by set code, newest last. */
export function boosterRates(
  games: readonly BoosterGame[],
  sources: ReadonlyMap<string, Source>
): ReadonlyMap<string, NamedRates> {
  return new Map(
    games.flatMap(({ game, rates_source: id }) => {
      const source = sources.get(id ?? '')
      return source === undefined
        ? []
        : ratesOf(source).sets.map(({ set_code: set, packs }) => {
            const rates: BoosterRates = {
              '@kind': 'booster-rates/1',
              game,
              set,
              source: source.id,
              packs: packs.map(({ name, share_percent: share, slots }) => ({
                name,
                weight: weightOf(share),
                places: slots.map(({ slot, chances_percent: chances }) => ({
                  place: slot,
                  rarities: Object.entries(chances).map(([rarity, percent]) => ({ rarity, weight: weightOf(percent) }))
                }))
              }))
            }
            return [set, { digest: hashCanonical(rates), rates }] as const
          })
    })
  )
}
