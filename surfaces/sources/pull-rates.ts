import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nullable, NullableText, Text, Texts, Type, type DataOf, type PathTo } from 'pantry/data'
import { decimalOf, ratioOf } from '../cards/numbers.ts'
import type { PullQuery, PullShare } from '../cards/rarities.ts'
import { canonicalCode } from '../cards/sku.ts'
import { packageFolder } from '../import/reading/files.ts'
import type { Source } from '../import/source.ts'

const Count = Type.Integer({ minimum: 1 })

/** A booster described by a named source; used in the corpus `pulls` and in responses. */
export const Booster = Type.Object({
  name: Text,
  languages: Texts,
  sets: Type.Optional(Texts),
  cards_per_booster: Count,
  boosters_per_display: nullable(Count),
  displays_per_case: Type.Optional(Count),
  slots: nullable(Type.Array(Type.Object({ cards: Count, holds: Text }))),
  rates: Type.Array(
    Type.Object({
      rarity: Text,
      cards: Type.Number({
        description: 'Cards of the rarity in so many boosters; the least, where the source gives a range.'
      }),
      cards_at_most: Type.Optional(Type.Number()),
      boosters: Count,
      basis: Type.Enum(['publisher', 'press', 'community', 'counted'], {
        description: 'Who states it; `counted`: somebody opened so many boosters.'
      }),
      note: Type.Optional(Text)
    })
  ),
  sources: Type.Array(Type.Object({ name: Text, url: Text, dated: NullableText }), { minItems: 1 }),
  unsure: Type.Boolean({ description: 'Whether no page of the publisher was read that states it; `note` says why.' }),
  note: Type.Optional(Text)
})

/** An entry of the corpus `pulls`. */
export const BoosterGame = Type.Object({
  game: Text,
  rates_source: NullableText,
  counted_together: Type.Optional(Type.Array(Texts)),
  products: Type.Array(Booster, { minItems: 1 })
})
export type BoosterGame = DataOf<typeof BoosterGame>

/** Chances in percent by rarity code. */
type Chances = Readonly<Record<string, number>>

/** A kind of pack: its probability, and the chances of the rarities for each place in it. */
type Pack = Readonly<{
  name: string
  share_percent: number
  cards: number
  slots: readonly Readonly<{ slot: string; chances_percent: Chances }>[]
}>
type SetRates = Readonly<{ set_code: string; printed_code: string; packs: readonly Pack[] }>
type PullRates = Readonly<{ rarities: Readonly<Record<string, string>>; sets: readonly SetRates[] }>

type UpstreamPack = Readonly<{ appearance_rate: number; cards: number; slots: Readonly<Record<string, Chances>> }>

const read = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, 'dist', file), 'utf8'))

/**
 * Reads the pull rates from the package `pokemon-tcg-pocket-database`: `dist/pullRates.json`, by set, pack and place,
 * and the names of the rarities. Other data is not read. Throws when a figure is not a percentage.
 */
export function readPullRates(folder: string): PullRates {
  const sets = Object.entries(read(folder, 'pullRates.json') as Record<string, Record<string, UpstreamPack>>)
  const rarities = Object.entries(read(folder, 'rarities.json') as Record<string, Readonly<{ label: string }>>)
  return {
    rarities: Object.fromEntries(rarities.map(([code, { label }]) => [code, label])),
    sets: sets.map(([code, packs]) => ({
      set_code: canonicalCode(code),
      printed_code: code,
      packs: Object.entries(packs).map(([name, pack]) => packOf(name, pack))
    }))
  }
}

/** Reads the pull rates from a source's package. */
export const ratesOf = ({ upstream }: Source): PullRates =>
  readPullRates(packageFolder(upstream.package ?? '', import.meta.url))

const packOf = (name: string, pack: UpstreamPack): Pack => ({
  name,
  share_percent: percent(pack.appearance_rate),
  cards: pack.cards,
  slots: Object.entries(pack.slots).map(([slot, chances]) => ({
    slot,
    chances_percent: Object.fromEntries(Object.entries(chances).map(([rarity, chance]) => [rarity, percent(chance)]))
  }))
})

function percent(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 100))
    throw new Error(`\`${String(value)}\` is no percentage.`)
  return value
}

type Product = BoosterGame['products'][number]

/** Returns the expected number of cards of a rarity, and of all rarities, in a random pack, both times 10,000. */
function shareOfPacks(packs: readonly Pack[], rarity: string): [cards: number, of: number] {
  const sum = (of: (pack: Pack) => number): number =>
    packs.reduce((total, pack) => total + pack.share_percent * of(pack), 0)
  return [
    sum(({ slots }) => slots.reduce((total, { chances_percent: chances }) => total + (chances[rarity] ?? 0), 0)),
    sum(({ cards }) => cards * 100)
  ]
}

function ofSet(
  { sets }: PullRates,
  { set, rarity }: PullQuery,
  source: string,
  together: BoosterGame['counted_together'] = []
): PullShare {
  const packs = sets.find(({ set_code: code }) => code === set)?.packs
  const named = `The source of pull rates, \`${source}\`,`
  if (packs === undefined) return { reason: `${named} does not name this set.` }
  const group = together.find(rarities => rarities.includes(rarity))
  if (group !== undefined) return { reason: `${named} counts ${group.join(' and ')} together; see /api/v1/pulls.` }
  const share = shareOfPacks(packs, rarity)
  if (share[0] === 0) return { reason: `${named} names no card of this rarity in the boosters of the set.` }
  return {
    share,
    basis: `Computed from the rates of the set by pack and place that the source \`${source}\` states; see /api/v1/pulls.`
  }
}

type Rate = Product['rates'][number]

/** Returns the cards of a rate, and all cards in the boosters to which the rate refers. */
const shareOfRate = (product: Product, { cards, boosters }: Rate): [cards: number, of: number] => [
  cards,
  boosters * product.cards_per_booster
]

const boostersOf = ({ boosters }: Rate): string => (boosters === 1 ? 'a booster' : `${boosters} boosters`)

function ofProducts(products: readonly Product[], { set, lang, rarity }: PullQuery): PullShare {
  const spoken = products.filter(({ languages }) => languages.includes(lang))
  const meant = spoken.filter(({ sets }) => sets?.includes(set))
  if (meant.length === 0)
    return {
      reason: spoken.some(({ sets }) => sets === undefined)
        ? 'What describes boosters in this language does not say of which sets; see /api/v1/pulls.'
        : 'No source describes boosters of this set in this language.'
    }
  const [stated, another] = meant.flatMap(product =>
    product.rates.filter(rate => rate.rarity === rarity).map(rate => ({ product, rate }))
  )
  if (stated === undefined)
    return { reason: 'No publisher or other named source states a rate of this rarity for the boosters of the set.' }
  const { product, rate } = stated
  if (another !== undefined) return { reason: 'The rates that are stated differ; see /api/v1/pulls.' }
  if (rate.cards_at_most !== undefined)
    return { reason: `Only a range is stated: ${rate.cards} to ${rate.cards_at_most} in ${boostersOf(rate)}.` }
  return {
    share: shareOfRate(product, rate),
    basis: `${product.name}: ${rate.cards} in ${boostersOf(rate)} of ${product.cards_per_booster} cards, says ${product.sources[0]?.name ?? ''}; see /api/v1/pulls.`
  }
}

/**
 * Returns a function that gives the share of a rarity among the cards of a set's boosters, from the data of
 * `/api/v1/pulls`. `rates`: the pull rates by source id.
 */
export const pullShares = (boosters: readonly BoosterGame[], rates: ReadonlyMap<string, PullRates>) => {
  const byGame = new Map(boosters.map(entry => [entry.game, entry]))
  return (asked: PullQuery): PullShare => {
    const entry = byGame.get(asked.game)
    if (entry === undefined) return { reason: 'No boosters of this game are described here.' }
    const ofSource = entry.rates_source === null ? undefined : rates.get(entry.rates_source)
    return ofSource === undefined
      ? ofProducts(entry.products, asked)
      : ofSet(ofSource, asked, entry.rates_source ?? '', entry.counted_together)
  }
}

/** The members of an entry of the corpus `games` that are needed here. */
type GameName = Readonly<{ token: string; name: string; slug: string }>

type PullsInput = Readonly<{
  boosters: readonly BoosterGame[]
  games: ReadonlyMap<string, GameName>
  sources: ReadonlyMap<string, Source>
  ratesOf: (source: Source) => PullRates
}>

/** Builds the document of booster contents and pull rates, as named pages or registered sources state them. */
export function pullsDocument({ boosters, games, sources, ratesOf }: PullsInput, pathTo: PathTo) {
  const entries = boosters.map(({ game, rates_source: id, counted_together: together = [], products }) => {
    const known = games.get(game)
    if (known === undefined)
      throw new Error(`The corpus pulls names the game \`${game}\`, which is not in the corpus games.`)
    const named = { slug: known.slug, display_name: known.name, game, products: products.map(productOf) }
    if (id === null)
      return {
        ...named,
        rates_source: null,
        rates: null,
        counted_together: together,
        reason: withoutRate(named.products.flatMap(({ rates }) => rates))
      }
    const source = sources.get(id)
    if (source === undefined)
      throw new Error(`The corpus pulls names the source \`${id}\`, which is not in the corpus sources.`)
    return {
      ...named,
      rates_source: sourceOf(source),
      rates: withShares(ratesOf(source)),
      counted_together: together,
      reason: null
    }
  })
  return {
    '@kind': 'pulls_snapshot' as const,
    provenance_note:
      'Every figure is listed with the page or the source that states it, and the day of that page. Where none states one there is none: nothing is estimated, averaged or filled in. A product is `unsure` until a page of its publisher was read that states the figures; its `note` says what is missing.',
    staleness_note:
      'Boosters change with language and year, so a figure holds for the product, the sets and the languages that are named with it. A page without a day has none here.',
    reading_note:
      '`rates` is said of two things. In a product it is a list: cards of a rarity in so many boosters, as a page states them. In a game it is an object: chances by set, pack and place, as `rates_source` states them, or null. `chances_percent` there gives for one place how often each rarity lies there; they may miss 100 by a few thousandths, because the source rounds, and a code without a name has none in the source.',
    games_with_rates: entries.filter(({ reason }) => reason === null).length,
    games: entries,
    _links: {
      canonical: pathTo('directory/pulls'),
      sources: pathTo('sources/registry'),
      games: pathTo('universal/games')
    }
  }
}

const ratio = (share: readonly [number, number]) => ({
  ratio_in_pulls: ratioOf(...share),
  decimal_probability: decimalOf(...share)
})

/** Returns a product. Each rate gets the share of its cards among those of the boosters, null if it is a range. */
const productOf = (product: Product) => ({
  ...product,
  rates: product.rates.map(rate => ({
    ...rate,
    ...(rate.cards_at_most === undefined
      ? ratio(shareOfRate(product, rate))
      : { ratio_in_pulls: null, decimal_probability: null })
  }))
})

/** Returns the rates of a source with the share of each rarity among the cards of a set's boosters. */
const withShares = ({ rarities, sets }: PullRates) => ({
  rarities,
  sets: sets.map(({ packs, ...set }) => {
    const named = new Set(
      packs.flatMap(({ slots }) => slots.flatMap(({ chances_percent: chances }) => Object.keys(chances)))
    )
    return {
      ...set,
      packs,
      shares: [...named].sort().map(rarity => ({ rarity, ...ratio(shareOfPacks(packs, rarity)) }))
    }
  })
})

/** Returns why no rate of a game's products has a ratio; null when one has. */
const withoutRate = (rates: readonly Readonly<{ ratio_in_pulls: unknown }>[]): string | null =>
  rates.some(({ ratio_in_pulls: found }) => found !== null)
    ? null
    : rates.length > 0
      ? 'Pages that were found state only ranges, which give no ratio.'
      : 'No publisher and no other page that was found states a rate for boosters of this game.'

const sourceOf = ({ id, upstream, license_statement: statement }: Source) => ({
  id,
  name: upstream.name,
  url: upstream.url ?? null,
  version: upstream.version ?? null,
  license_statement: statement,
  rights: 'NOASSERTION' as const
})
