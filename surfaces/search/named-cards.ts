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

/** The first of the names that have `most` printings together. */
function firstNames (matches: readonly NameMatch[], most: number): readonly NameMatch[] {
  let sum = 0
  const end = matches.findIndex(({ found }) => (sum += found.printings) >= most)
  return end === -1 ? matches : matches.slice(0, end + 1)
}

/** The first `most` printings of the names, each by the first name that it is found by, and whether there may be others. */
async function printingsOf (names: NameIndex, matches: readonly NameMatch[], most: number): Promise<Readonly<{ printings: ReadonlyMap<string, NameMatch>, more: boolean }>> {
  const first = firstNames(matches, most)
  const lists = await Promise.all(first.map(async ({ found }) => await names.printingsOf(found)))
  const printings = new Map<string, NameMatch>()
  for (const [at, match] of first.entries()) {
    for (const sku of lists[at] ?? []) {
      if (printings.size === most) return { printings, more: true }
      if (!printings.has(sku)) printings.set(sku, match)
    }
  }
  return { printings, more: first.length < matches.length }
}

const byPlace = ({ card: a }: NamedCard, { card: b }: NamedCard): number => naturalOrder(a.set_code, b.set_code) || naturalOrder(a.card_number, b.card_number)

/** Cards by a name, in the order of the names and then as people count; printings of one number are one card. `more`: whether more may be held than were looked at. */
export async function findNamedCards (names: NameIndex, cards: SearchIndex, { text, game, filter }: NamedQuestion): Promise<Readonly<{ cards: readonly NamedCard[], more: boolean }>> {
  const found = await findNames(names, text, game)
  const { printings, more } = await printingsOf(names, found.matches, filter === undefined ? mostCandidates : mostPrintings)
  const groups = new Map<NameMatch, Map<string, NamedCard>>()
  for (const card of await cards.ofSkus([...printings.keys()])) {
    const match = printings.get(card.sku)
    if (match === undefined || filter?.(card.attributes) === false) continue
    const group = groups.get(match) ?? new Map<string, NamedCard>()
    groups.set(match, group)
    const { found: { name }, ...verdict } = match
    const place = `${card.set_code}\n${card.card_number}`
    const first = group.get(place)
    group.set(place, { ...verdict, name, card: first?.card ?? card, printings: (first?.printings ?? 0) + 1 })
  }
  return { cards: [...groups.values()].flatMap(group => [...group.values()].sort(byPlace)), more: more || found.more }
}
