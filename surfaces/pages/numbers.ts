type Printing = Readonly<{ sku: string, name: string | null, card_number: string, rarity: string | null, lang: string, variant: string | null }>

/** A number of a set with its printings. The first printing gives name and rarity. */
export type NumberedCard = Readonly<{ number: string, name: string | null, rarity: string | null, printings: readonly Printing[] }>

/** The printings of a set by their numbers, in the order in which they are given. */
export function byNumber (printings: readonly Printing[]): NumberedCard[] {
  const groups = new Map<string, Printing[]>()
  for (const one of printings) groups.set(one.card_number, [...groups.get(one.card_number) ?? [], one])
  return [...groups].map(([number, all]) => ({ number, name: all[0]?.name ?? null, rarity: all[0]?.rarity ?? null, printings: all }))
}

/** How the cards of a set can be sorted; the order of the set is that of its numbers. */
export const orders = {
  number: undefined,
  name: (a: NumberedCard, b: NumberedCard): number => (a.name ?? '').localeCompare(b.name ?? '', 'en'),
  rarity: (a: NumberedCard, b: NumberedCard): number => (a.rarity ?? '').localeCompare(b.rarity ?? '', 'en'),
  printings: (a: NumberedCard, b: NumberedCard): number => b.printings.length - a.printings.length
} as const

export type Order = keyof typeof orders

export const sortedBy = (cards: readonly NumberedCard[], order: Order): readonly NumberedCard[] => {
  const compare = orders[order]
  return compare === undefined ? cards : [...cards].sort(compare)
}

/** How many numbers of each rarity there are, the most first. */
export function countRarities (cards: readonly NumberedCard[]): { label: string, value: number }[] {
  const counts = new Map<string, number>()
  for (const { rarity } of cards) counts.set(rarity ?? 'not given', (counts.get(rarity ?? 'not given') ?? 0) + 1)
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value)
}
