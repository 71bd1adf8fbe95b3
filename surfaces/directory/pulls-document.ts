import { Type } from 'pantry/data'
import type { DataOf, PathTo } from 'pantry/data'
import { decimalOf, ratioOf } from '../catalogue/ratio.ts'
import type { Source } from '../import/source.ts'
import type { BoosterGame } from './boosters.ts'
import type { PullRates } from './pull-rates.ts'
import { shareOfPacks, shareOfRate } from './pull-shares.ts'

/** The members of an entry of the corpus `games` that are needed here. */
export const GameName = Type.Object({ token: Type.String(), name: Type.String(), slug: Type.String() })
export type GameName = DataOf<typeof GameName>

type PullsGiven = Readonly<{
  boosters: readonly BoosterGame[]
  games: ReadonlyMap<string, GameName>
  sources: ReadonlyMap<string, Source>
  ratesOf: (source: Source) => PullRates
}>

/** Builds the document of booster contents and pull rates, as named pages or registered sources state them. */
export function pullsDocument({ boosters, games, sources, ratesOf }: PullsGiven, pathTo: PathTo) {
  const entries = boosters.map(({ game, rates_source: id, counted_together: together = [], products }) => {
    const known = games.get(game)
    if (known === undefined)
      throw new Error(`The corpus pulls names the game \`${game}\`, which is not in the corpus games.`)
    const stated = products.some(({ rates }) => rates.length > 0)
    const named = { slug: known.slug, display_name: known.name, game, products: products.map(productOf) }
    if (id === null)
      return { ...named, rates_source: null, rates: null, counted_together: together, reason: stated ? null : noRates }
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
      '`rates` of a product count cards of a rarity in so many boosters. The rates of a source go by set, pack and place: `chances_percent` gives for one place how often each rarity lies there; they may miss 100 by a few thousandths, because the source rounds, and a code without a name has none in the source.',
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

/** Returns a product with the share of each rate among the cards of its boosters; a range has no share. */
const productOf = (product: BoosterGame['products'][number]) => ({
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

const noRates = 'No publisher and no other page that was found states a rate for boosters of this game.'

const sourceOf = ({ id, upstream, license_statement: statement }: Source) => ({
  id,
  name: upstream.name,
  url: upstream.url ?? null,
  version: upstream.version ?? null,
  license_statement: statement,
  rights: 'NOASSERTION' as const
})
