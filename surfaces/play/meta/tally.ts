/** The number of cards with each value. */
export type ValueTally = readonly Readonly<{ value: string; cards: number }>[]

/** Counts values, the most frequent first. */
export const frequent = (values: readonly string[]): ValueTally =>
  count(values).sort((a, b) => b.cards - a.cards || (a.value < b.value ? -1 : 1))
/** Counts numbers in ascending order; nulls are left out. */
export const ascending = (values: readonly (number | null)[]): ValueTally =>
  count(values.filter(value => value !== null).map(String)).sort((a, b) => Number(a.value) - Number(b.value))

function count(values: readonly string[]): { value: string; cards: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, cards]) => ({ value, cards }))
}
