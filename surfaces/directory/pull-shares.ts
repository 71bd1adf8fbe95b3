import type { PullsAsked, PullShare } from '../catalogue/rarities.ts'
import type { BoosterGame } from './boosters.ts'
import type { Pack, PullRates } from './pull-rates.ts'

type Product = BoosterGame['products'][number]

/** Returns the expected cards of a rarity, and of all rarities, in a random pack, both in hundredths of a percent. */
export function shareOfPacks(packs: readonly Pack[], rarity: string): [cards: number, of: number] {
  const sum = (of: (pack: Pack) => number): number =>
    packs.reduce((total, pack) => total + pack.share_percent * of(pack), 0)
  return [
    sum(({ slots }) => slots.reduce((total, { chances_percent: chances }) => total + (chances[rarity] ?? 0), 0)),
    sum(({ cards }) => cards * 100)
  ]
}

function ofSet(
  { sets }: PullRates,
  { set, rarity }: PullsAsked,
  source: string,
  together: BoosterGame['counted_together'] = []
): PullShare {
  const packs = sets.find(({ set_code: code }) => code === set)?.packs
  if (packs === undefined) return { reason: `The source of pull rates, \`${source}\`, does not name this set.` }
  const group = together.find(rarities => rarities.includes(rarity))
  if (group !== undefined)
    return {
      reason: `The source of pull rates, \`${source}\`, counts ${group.join(' and ')} together; see /api/v1/pulls.`
    }
  const share = shareOfPacks(packs, rarity)
  if (share[0] === 0)
    return {
      reason: `The source of pull rates, \`${source}\`, names no card of this rarity in the boosters of the set.`
    }
  return {
    share,
    basis: `Computed from the rates of the set by pack and place that the source \`${source}\` states; see /api/v1/pulls.`
  }
}

/** Returns the cards of a rate, and all cards in the number of boosters to which it refers. */
export const shareOfRate = (
  { cards_per_booster: size }: Pick<Product, 'cards_per_booster'>,
  { cards, boosters }: Pick<Product['rates'][number], 'cards' | 'boosters'>
): [cards: number, of: number] => [cards, boosters * size]

const boostersOf = ({ boosters }: Pick<Product['rates'][number], 'boosters'>): string =>
  boosters === 1 ? 'a booster' : `${boosters} boosters`

function ofProducts(products: readonly Product[], { set, lang, rarity }: PullsAsked): PullShare {
  const spoken = products.filter(({ languages }) => languages.includes(lang))
  const meant = spoken.filter(({ sets }) => sets?.includes(set))
  if (meant.length === 0) {
    return {
      reason: spoken.some(({ sets }) => sets === undefined)
        ? 'What describes boosters in this language does not say of which sets; see /api/v1/pulls.'
        : 'No source describes boosters of this set in this language.'
    }
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
  return (asked: PullsAsked): PullShare => {
    const entry = byGame.get(asked.game)
    if (entry === undefined) return { reason: 'No boosters of this game are described here.' }
    const ofSource = entry.rates_source === null ? undefined : rates.get(entry.rates_source)
    return ofSource === undefined
      ? ofProducts(entry.products, asked)
      : ofSet(ofSource, asked, entry.rates_source ?? '', entry.counted_together)
  }
}
