import { naturalOrder } from '../catalogue/natural-order.ts'
import type { SetRow } from '../catalogue/rows.ts'
import type { FoundCard, SearchIndex } from '../catalogue/search-index.ts'
import { searchKey } from '../catalogue/search-key.ts'
import type { Game } from '../search/game-directory.ts'

/** How the printings of a number are ordered, and which of them is the main one. */
export const mainPrintingRule =
  'The ordinary printing comes before its variants, then English before other languages, then the order of the SKUs. The first is the main printing.'

const last = (is: boolean): number => (is ? 1 : 0)

/** By number as people count, then by `mainPrintingRule`. */
export const byMainPrinting = (a: FoundCard, b: FoundCard): number =>
  naturalOrder(a.card_number, b.card_number) ||
  last(a.variant !== '') - last(b.variant !== '') ||
  last(a.lang !== 'en') - last(b.lang !== 'en') ||
  (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0)

/** A printing as a guide lists it: what identifies it, and no value. */
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
 * The printings of a number within its set, the main one first. The number is that within the set (`001`) or the whole
 * one (`OP01-001`).
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
  // What is printed exactly so is meant, even where other numbers would count the same.
  const meant = asPrinted.length > 0 ? asPrinted : others.flat()
  return [...new Map(meant.map(card => [card.sku, card])).values()].sort(byMainPrinting)
}
