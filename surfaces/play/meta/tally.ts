/** How many cards have each value. */
export type Tally = readonly Readonly<{ value: string; cards: number }>[]

/** The most frequent first. */
export const frequent = (values: readonly string[]): Tally =>
  count(values).sort((a, b) => b.cards - a.cards || (a.value < b.value ? -1 : 1))
/** Numbers in their order; what is not known is left out. */
export const ascending = (values: readonly (number | null)[]): Tally =>
  count(values.filter(value => value !== null).map(String)).sort((a, b) => Number(a.value) - Number(b.value))

function count(values: readonly string[]): { value: string; cards: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, cards]) => ({ value, cards }))
}
