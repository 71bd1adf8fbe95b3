import { naturalOrder } from '../catalogue/natural-order.ts'
import type { KnownCard, SearchIndex } from '../catalogue/search-index.ts'
import { findNames, type NameMatch, type NameVerdict } from './find-names.ts'
import { mostPrintings, type NameIndex } from './name-index.ts'

/** A card with the name that it was found by, and how many of its printings were found by it. */
type NamedCard = Readonly<{ card: KnownCard, name: string, printings: number } & NameVerdict>

/** The most printings that are looked at without a filter. */
const mostCandidates = 100

type NamedQuestion = Readonly<{
  /** Folded. */
  text: string
  game?: string | undefined
  /** Which printings are wanted. */
  filter?: ((attributes: KnownCard['attributes']) => boolean) | undefined
}>

/** The first `most` printings of the names, each by the first name that it is found by. */
function printingsOf (matches: readonly NameMatch[], most: number): ReadonlyMap<string, NameMatch> {
  const found = new Map<string, NameMatch>()
  for (const match of matches) {
    for (const sku of match.found.skus) {
      if (found.size === most) return found
      if (!found.has(sku)) found.set(sku, match)
    }
  }
  return found
}

const byPlace = ({ card: a }: NamedCard, { card: b }: NamedCard): number => naturalOrder(a.set_code, b.set_code) || naturalOrder(a.card_number, b.card_number)

/** Cards by a name, in the order of the names and then as people count; printings of one number are one card. `more`: whether more may be held than were looked at. */
export async function findNamedCards (names: NameIndex, cards: SearchIndex, { text, game, filter }: NamedQuestion): Promise<Readonly<{ cards: readonly NamedCard[], more: boolean }>> {
  const { matches, more } = await findNames(names, text, game)
  const most = filter === undefined ? mostCandidates : mostPrintings
  const printings = printingsOf(matches, most)
  const groups = new Map<NameMatch, Map<string, NamedCard>>()
  for (const card of await cards.ofSkus([...printings.keys()])) {
    const match = printings.get(card.sku)
    if (match === undefined || filter?.(card.attributes) === false) continue
    const group = groups.get(match) ?? new Map<string, NamedCard>()
    groups.set(match, group)
    const { found, ...verdict } = match
    const place = `${card.set_code}\n${card.card_number}`
    const first = group.get(place)
    group.set(place, { ...verdict, name: found.name, card: first?.card ?? card, printings: (first?.printings ?? 0) + 1 })
  }
  return { cards: [...groups.values()].flatMap(group => [...group.values()].sort(byPlace)), more: more || printings.size === most }
}
