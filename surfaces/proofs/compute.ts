import { canonicalize, closed, Count, Hash, hashCanonical, invalid, nullable, Type, type DataOf } from 'pantry/data'
import { BoosterRates } from './booster-rates.ts'
import { commitmentOf, draw } from './draw.ts'
import { Result, Seed } from './receipt.ts'

/** The inputs of a draw, and the claims to check. */
export const ComputeRequest = Type.Object(
  {
    server_seed: Seed,
    client_seed: Seed,
    nonce: Count,
    rates: BoosterRates,
    commitment: Type.Optional(Hash),
    rates_digest: Type.Optional(Hash),
    result: Type.Optional(Result)
  },
  { additionalProperties: false }
)

/** The recomputed draw; a check is `null` where nothing was claimed. */
export const Computed = closed({
  '@kind': Type.Literal('draw-computed'),
  commitment: Hash,
  rates_digest: Hash,
  result: Result,
  all_hold: Type.Boolean({ description: 'Whether nothing that was claimed differs.' }),
  checks: closed({
    commitment: nullable(Type.Boolean()),
    rates_digest: nullable(Type.Boolean()),
    result: nullable(Type.Boolean())
  })
})

/** Recomputes a draw from the request alone. Throws for weights that do not sum to a number from 1 to 2^32. */
export function compute({
  rates,
  commitment,
  rates_digest: digest,
  result,
  ...seeds
}: DataOf<typeof ComputeRequest>): DataOf<typeof Computed> {
  const isWeighted = (choices: readonly Readonly<{ weight: number }>[]): boolean =>
    choices.some(({ weight }) => weight > 0) && choices.reduce((sum, { weight }) => sum + weight, 0) <= 2 ** 32
  if (![rates.packs, ...rates.packs.flatMap(({ places }) => places.map(({ rarities }) => rarities))].every(isWeighted))
    throw invalid('rates.packs', 'Weights that belong together have a sum from 1 to 2^32.')
  const found = {
    commitment: commitmentOf(seeds.server_seed),
    rates_digest: hashCanonical(rates),
    result: draw(rates, seeds)
  }
  const checks = {
    commitment: commitment === undefined ? null : commitment === found.commitment,
    rates_digest: digest === undefined ? null : digest === found.rates_digest,
    result: result === undefined ? null : canonicalize(result) === canonicalize(found.result)
  }
  return {
    '@kind': 'draw-computed',
    ...found,
    result: { pack: found.result.pack, rarities: [...found.result.rarities] },
    all_hold: !Object.values(checks).includes(false),
    checks
  }
}
