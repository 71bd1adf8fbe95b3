import { listOf, type Attributes } from './attributes.ts'

type Printing = Readonly<{
  sku: string
  name: string | null
  card_number: string
  rarity: string | null
  lang: string
  variant: string | null
  attributes: Attributes | null
}>

/** A card number of a set with its printings. Name and rarity come from the first printing. */
export type NumberedCard = Readonly<{
  number: string
  name: string | null
  rarity: string | null
  attributes: Attributes
  printings: readonly Printing[]
}>

/** Groups the printings of a set by number, in the given order. */
export function byNumber(printings: readonly Printing[]): NumberedCard[] {
  const groups = new Map<string, Printing[]>()
  for (const one of printings) groups.set(one.card_number, [...(groups.get(one.card_number) ?? []), one])
  return [...groups].map(([number, all]) => ({
    number,
    name: all[0]?.name ?? null,
    rarity: all[0]?.rarity ?? null,
    attributes: all[0]?.attributes ?? {},
    printings: all
  }))
}

/** Compares texts in natural order; an empty one comes last. */
const byText =
  (textOf: (card: NumberedCard) => string) =>
  (a: NumberedCard, b: NumberedCard): number =>
    Number(textOf(a) === '') - Number(textOf(b) === '') || textOf(a).localeCompare(textOf(b), 'en', { numeric: true })

/** The sort orders of every set; `number` keeps the order of the set. */
const usual: Readonly<Record<string, (a: NumberedCard, b: NumberedCard) => number>> = {
  number: () => 0,
  name: byText(({ name }) => name ?? ''),
  rarity: byText(({ rarity }) => rarity ?? ''),
  printings: (a, b) => b.printings.length - a.printings.length
}

/** Returns the attributes that can be sorted by: more than half of the cards have them, with more than one value. */
function sortable(cards: readonly NumberedCard[]): string[] {
  const names = [...new Set(cards.flatMap(({ attributes }) => Object.keys(attributes)))].filter(
    name => !(name in usual)
  )
  return names.filter(name => {
    const values = cards.map(({ attributes }) => listOf(attributes[name]).join()).filter(text => text !== '')
    return values.length * 2 > cards.length && new Set(values).size > 1
  })
}

export const ordersOf = (cards: readonly NumberedCard[]): readonly string[] => [
  ...Object.keys(usual),
  ...sortable(cards)
]

/** Sorts by a name from `ordersOf`. Cards without a value come last, and equal ones keep the order of the set. */
export function sortedBy(cards: readonly NumberedCard[], order: string): readonly NumberedCard[] {
  return [...cards].sort(usual[order] ?? byText(({ attributes }) => listOf(attributes[order]).join()))
}

/** Counts the card numbers of each rarity, the most frequent first. */
export function countRarities(cards: readonly NumberedCard[]): { label: string; value: number }[] {
  const counts = new Map<string, number>()
  for (const { rarity } of cards) counts.set(rarity ?? 'not given', (counts.get(rarity ?? 'not given') ?? 0) + 1)
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value)
}
