import { naturalOrder } from '../catalogue/natural-order.ts'
import type { FoundCard } from '../catalogue/search-index.ts'

/** How the printings of a number are ordered, and which of them is the main one. */
export const mainPrintingRule = 'The ordinary printing comes before its variants, then English before other languages, then the order of the SKUs. The first is the main printing.'

const last = (is: boolean): number => is ? 1 : 0

/** By number as people count, then by `mainPrintingRule`. */
export const byMainPrinting = (a: FoundCard, b: FoundCard): number =>
  naturalOrder(a.card_number, b.card_number) ||
  last(a.variant !== '') - last(b.variant !== '') ||
  last(a.lang !== 'en') - last(b.lang !== 'en') ||
  (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0)

/** A printing as a guide lists it: what identifies it, and no value. */
export const printingBody = ({ sku, name, card_number: number, rarity, lang, variant }: FoundCard) =>
  ({ sku, name, card_number: number, rarity, lang, variant: variant === '' ? null : variant, price_gbp: null, stock: null })
