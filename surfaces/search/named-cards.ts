import { naturalOrder } from '../catalogue/natural-order.ts'
import type { KnownCard, SearchIndex } from '../catalogue/search-index.ts'
import { findNames, type NameMatch, type NameVerdict } from './find-names.ts'
import { mostPrintings, type NamedPrinting, type NameIndex } from './name-index.ts'

/** A card number, the name match by which it was found, the first of its printings found, and how many there are. */
type NamedNumber = Readonly<{ match: NameMatch; first: NamedPrinting; printings: number }>
type NamedCard = Readonly<{ card: KnownCard; name: string; printings: number } & NameVerdict>

type NamedQuestion = Readonly<{
  /** A key of `nameKey`. */
  text: string
  game?: string | undefined
  /** Selects the printings that are wanted. */
  filter?: ((attributes: KnownCard['attributes']) => boolean) | undefined
  /** The page of the found numbers: the first index, and the size. */
  offset: number
  limit: number
}>

/** A page of cards, and counts of everything that was found. */
type NamedCards = Readonly<{
  cards: readonly NamedCard[]
  best: Readonly<{ sku: string; confidence: NameVerdict['confidence'] }> | undefined
  /** The number of card numbers found, and of their printings. */
  found: number
  printings: number
  /** Whether all matching names and printings were read. */
  isComplete: boolean
}>

/** Returns the first names that together have at least `most` printings. */
function firstNames(matches: readonly NameMatch[], most: number): readonly NameMatch[] {
  let sum = 0
  const end = matches.findIndex(({ found }) => (sum += found.printings) >= most)
  return end === -1 ? matches : matches.slice(0, end + 1)
}

type Found = Readonly<{ match: NameMatch; printing: NamedPrinting }>

/**
 * Reads the printings of the names, up to `mostPrintings`, each with the first name that matched it; `isComplete` says
 * whether these are all.
 */
async function printingsOf(
  names: NameIndex,
  matches: readonly NameMatch[]
): Promise<Readonly<{ printings: ReadonlyMap<string, Found>; isComplete: boolean }>> {
  const first = firstNames(matches, mostPrintings)
  const lists = await Promise.all(first.map(async ({ found }) => await names.printingsOf(found)))
  const printings = new Map<string, Found>()
  for (const [at, match] of first.entries()) {
    for (const printing of lists[at] ?? []) {
      if (printings.has(printing.sku)) continue
      if (printings.size === mostPrintings) return { printings, isComplete: false }
      printings.set(printing.sku, { match, printing })
    }
  }
  return {
    printings,
    isComplete: first.length === matches.length && first.every(({ found }) => found.printings <= mostPrintings)
  }
}

const byPlace = ({ first: a }: NamedNumber, { first: b }: NamedNumber): number =>
  naturalOrder(a.set_code, b.set_code) || naturalOrder(a.card_number, b.card_number)

/**
 * Groups printings by card number, in the order of the names and then in natural order. The order is total, so that
 * pages do not overlap.
 */
function numbersOf(printings: Iterable<Found>): readonly NamedNumber[] {
  const groups = new Map<NameMatch, Map<string, NamedNumber>>()
  for (const { match, printing } of printings) {
    const group = groups.get(match) ?? new Map<string, NamedNumber>()
    groups.set(match, group)
    const place = `${printing.set_code}\n${printing.card_number}`
    const known = group.get(place)
    group.set(place, { match, first: known?.first ?? printing, printings: (known?.printings ?? 0) + 1 })
  }
  return [...groups.values()].flatMap(group => [...group.values()].sort(byPlace))
}

/**
 * Finds cards by a name; printings of one number count as one card. Only the cards of the page are read in full, unless
 * a filter needs the attributes of all.
 */
export async function findNamedCards(
  names: NameIndex,
  cards: SearchIndex,
  { text, game, filter, offset, limit }: NamedQuestion
): Promise<NamedCards> {
  const found = await findNames(names, text, game)
  const { printings, isComplete } = await printingsOf(names, found.matches)
  const wanted =
    filter === undefined
      ? [...printings.values()]
      : (await cards.ofSkus([...printings.keys()])).flatMap(({ sku, attributes }) =>
          filter(attributes) ? (printings.get(sku) ?? []) : []
        )
  const numbers = numbersOf(wanted)
  const shown = new Map(numbers.slice(offset, offset + limit).map(number => [number.first.sku, number]))
  const [best] = numbers
  return {
    cards: (await cards.ofSkus([...shown.keys()])).flatMap(card => {
      const number = shown.get(card.sku)
      if (number === undefined) return []
      const {
        match: {
          found: { name },
          ...verdict
        },
        printings
      } = number
      return [{ ...verdict, name, card, printings }]
    }),
    best: best === undefined ? undefined : { sku: best.first.sku, confidence: best.match.confidence },
    found: numbers.length,
    printings: wanted.length,
    isComplete: isComplete && !found.more
  }
}
