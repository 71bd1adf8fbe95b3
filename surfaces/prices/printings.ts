import { naturalOrder } from '../catalogue/natural-order.ts'
import type { SetRow } from '../catalogue/rows.ts'
import type { FoundCard, SearchIndex } from '../catalogue/search-index.ts'
import { searchKey } from '../catalogue/search-key.ts'
import type { Game } from '../search/game-directory.ts'

/** A sentence on the order of the printings of a number, and which of them is the main one. */
export const mainPrintingRule =
  'The ordinary printing comes before its variants, then English before other languages, then the order of the SKUs. The first is the main printing.'

const last = (is: boolean): number => (is ? 1 : 0)

/** Compares printings by number in natural order, then by `mainPrintingRule`. */
export const byMainPrinting = (a: FoundCard, b: FoundCard): number =>
  naturalOrder(a.card_number, b.card_number) ||
  last(a.variant !== '') - last(b.variant !== '') ||
  last(a.lang !== 'en') - last(b.lang !== 'en') ||
  (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0)

/** Returns the identifying facts of a printing, with null for price and stock. */
export const printingBody = ({ sku, name, card_number: number, rarity, lang, variant }: FoundCard) => ({
  sku,
  name,
  card_number: number,
  rarity,
  lang,
  variant: variant === '' ? null : variant,
  price_gbp: null,
  stock: null
})

/**
 * Finds the printings of a number within its set, the main one first. The number may be that within the set (`001`) or
 * the full one (`OP01-001`).
 */
export async function findPrintings(
  search: SearchIndex,
  { token }: Game,
  set: SetRow,
  number: string
): Promise<FoundCard[]> {
  const answers = await search.find([
    searchKey.printed(token, number),
    searchKey.place(token, number),
    searchKey.place(token, `${set.set_code}-${number}`)
  ])
  const [asPrinted = [], ...others] = answers.map(cards => cards.filter(card => card.set_code === set.set_code))
  // Exact matches of the printed number take precedence over numbers that are only equal after normalisation.
  const meant = asPrinted.length > 0 ? asPrinted : others.flat()
  return [...new Map(meant.map(card => [card.sku, card])).values()].sort(byMainPrinting)
}
