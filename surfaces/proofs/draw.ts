import { createHash, createHmac } from 'node:crypto'
import {
  canonicalize,
  closed,
  Count,
  Hash,
  hashCanonical,
  invalid,
  nullable,
  Text,
  Texts,
  Type,
  type DataOf
} from 'pantry/data'
import { idPattern } from '../common/ids.ts'
import type { Source } from '../import/source.ts'
import { ratesOf, type BoosterGame } from '../sources/pull-rates.ts'
import { leafHash } from './merkle.ts'

const Weight = Type.Integer({
  minimum: 0,
  maximum: 2 ** 32,
  description: 'How often, against the sum of the weights beside it.'
})

/** The published pull rates of a set, as integers. */
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

export type NamedRates = Readonly<{ digest: string; rates: BoosterRates }>

/** Returns a percentage as an integer: percentages are stated with up to four decimals. */
const weightOf = (percent: number): number => Math.round(percent * 10_000)

/** Returns the rates by set code, in the order of the games and of their sources, which have the newest set last. */
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

export const sumOf = <T>(items: readonly T[], numberOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + numberOf(item), 0)

type Weighted = Readonly<{ weight: number }>
const totalWeight = (choices: readonly Weighted[]): number => sumOf(choices, ({ weight }) => weight)

export type DrawRates = Readonly<{
  packs: readonly (Weighted &
    Readonly<{
      name: string
      places: readonly Readonly<{ rarities: readonly (Weighted & Readonly<{ rarity: string }>)[] }>[]
    }>)[]
}>

/** The result of a draw: the kind of pack, and one rarity for each place of it. */
type Drawn = Readonly<{ pack: string; rarities: readonly string[] }>

/** The seeds are 64 hex digits each; `nonce` is the number of the draw. */
type Seeds = Readonly<{ server_seed: string; client_seed: string; nonce: number }>

/** Returns the SHA-256 of the 32 bytes of a server seed, which the server publishes before it knows the client seed. */
export const commitmentOf = (serverSeed: string): string =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex')

const wordBytes = 4
const words = 2 ** (8 * wordBytes)

/**
 * Yields 32-bit numbers, big-endian, from HMAC-SHA256 with the seed of the server as key over the texts
 * `client:nonce:0`, `client:nonce:1`, and so on, where `client` is the seed of the client in hex.
 */
function* numbersOf({ server_seed: server, client_seed: client, nonce }: Seeds): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const bytes = createHmac('sha256', Buffer.from(server, 'hex')).update(`${client}:${nonce}:${block}`).digest()
    for (let at = 0; at < bytes.length; at += wordBytes) yield bytes.readUInt32BE(at)
  }
}

/** Chooses by weight. Numbers at the upper end that would favour the first choices are skipped (rejection sampling). */
function choose<Choice extends Weighted>(choices: readonly Choice[], numbers: Iterator<number, never>): Choice {
  const total = totalWeight(choices)
  if (!(total > 0 && total <= words)) throw new RangeError('Weights are whole numbers with a sum from 1 to 2^32.')
  let number = numbers.next().value
  while (number >= words - (words % total)) number = numbers.next().value
  let rest = number % total
  for (const choice of choices) {
    if (rest < choice.weight) return choice
    rest -= choice.weight
  }
  throw new RangeError('A remainder is smaller than the sum.')
}

/** Draws first the kind of pack, then a rarity for each place. The same seeds give the same result. */
export function draw(rates: DrawRates, seeds: Seeds): Drawn {
  const numbers = numbersOf(seeds)
  const { name, places } = choose(rates.packs, numbers)
  return { pack: name, rarities: places.map(({ rarities }) => choose(rarities, numbers).rarity) }
}

export const DrawId = Type.String({ pattern: idPattern, description: 'Id of a draw, as its beginning answered it.' })
export const Seed = Type.String({
  pattern: '^[0-9a-f]{64}$',
  minLength: 64,
  maxLength: 64,
  description: '32 bytes, as 64 lowercase hexadecimal digits.'
})
export const Result = closed({ pack: Text, rarities: Texts }, 'The kind of pack, and a rarity for each of its places.')

/**
 * Everything that determines a draw, and nothing about persons. Its canonical JSON (RFC 8785) is the leaf in the tree.
 */
export const ProofReceipt = closed(
  {
    '@kind': Type.Literal('draw-receipt/1'),
    id: DrawId,
    game: Text,
    set: Text,
    rates_digest: Hash,
    nonce: Count,
    commitment: Hash,
    server_seed: Seed,
    client_seed: Seed,
    result: Result,
    begun_at: Text,
    opened_at: Text
  },
  { title: 'DrawReceipt' }
)
export type ProofReceipt = DataOf<typeof ProofReceipt>

export const OpenedRow = closed({
  id: Text,
  nonce: Count,
  game: Text,
  set: Text,
  rates_digest: Text,
  commitment: Text,
  server_seed: Text,
  client_seed: Text,
  result: Result,
  begun_at: Text,
  opened_at: Text
})

/**
 * Returns SQL that selects the columns of `OpenedRow` from `draws` as d and `draw_rates` as r, and further columns,
 * which begin with a comma.
 */
export const selectOpened = (columns = ''): string =>
  `select d.id, d.nonce, r.rates ->> 'game' as game, r.rates ->> 'set' as set, d.rates_digest, d.commitment, d.server_seed, d.client_seed, d.result, d.begun_at, d.opened_at${columns} from draws d join draw_rates r on r.digest = d.rates_digest`

export const receiptOf = (row: DataOf<typeof OpenedRow>): ProofReceipt => ({ '@kind': 'draw-receipt/1', ...row })

export const hashOfReceipt = (receipt: ProofReceipt): string => leafHash(canonicalize(receipt))

/** Checks commitment and result. Does not compare the digest of the rates, which the caller has done. */
export const checkReceipt = (receipt: ProofReceipt, rates: DrawRates) => ({
  commitment: commitmentOf(receipt.server_seed) === receipt.commitment,
  result: canonicalize(draw(rates, receipt)) === canonicalize(receipt.result)
})

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

/** The computed draw. A check is `null` where nothing was claimed. */
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

/** Computes a draw and checks the claims. Throws a 400 for weights that do not sum to a number from 1 to 2^32. */
export function compute({
  rates,
  commitment,
  rates_digest: digest,
  result,
  ...seeds
}: DataOf<typeof ComputeRequest>): DataOf<typeof Computed> {
  const isWeighted = (choices: readonly Weighted[]): boolean =>
    choices.some(({ weight }) => weight > 0) && totalWeight(choices) <= words
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
  return { '@kind': 'draw-computed', ...found, all_hold: !Object.values(checks).includes(false), checks }
}
