import { naturalOrder } from '../catalogue/natural-order.ts'
import type { KnownCard, SearchIndex } from '../catalogue/search-index.ts'
import { findNames, type NameMatch, type NameVerdict } from './find-names.ts'
import { mostPrintings, type NamedPrinting, type NameIndex } from './name-index.ts'

/** A number with the name that it was found by, how many of its printings were found by it, and the first of these. */
type NamedNumber = Readonly<{ match: NameMatch; first: NamedPrinting; printings: number }>
type NamedCard = Readonly<{ card: KnownCard; name: string; printings: number } & NameVerdict>

type NamedQuestion = Readonly<{
  /** A key of names. */
  text: string
  game?: string | undefined
  /** Which printings are wanted. */
  filter?: ((attributes: KnownCard['attributes']) => boolean) | undefined
  /** Of the numbers that are found, which are shown. */
  offset: number
  limit: number
}>

/** Cards of some of the numbers that were found, and all that was. */
type NamedCards = Readonly<{
  cards: readonly NamedCard[]
  best: Readonly<{ sku: string; confidence: NameVerdict['confidence'] }> | undefined
  /** Numbers, and their printings. */
  found: number
  printings: number
  /** Whether that is all that is held. */
  isComplete: boolean
}>

/** The first of the names that have `most` printings together. */
function firstNames(matches: readonly NameMatch[], most: number): readonly NameMatch[] {
  let sum = 0
  const end = matches.findIndex(({ found }) => (sum += found.printings) >= most)
  return end === -1 ? matches : matches.slice(0, end + 1)
}

type Found = Readonly<{ match: NameMatch; printing: NamedPrinting }>

/** The first printings of the names, each by the first name that it is found by, and whether these are all. */
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

/** Numbers in the order of their names and then as people count: a total order, so that pages follow one another. */
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
 * Cards by a name; printings of one number are one card. Only those that are shown are read whole, but for a filter,
 * which must see them all.
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
