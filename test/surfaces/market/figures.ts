/** The value that so many of some are at most, as whole and tenth parts. */
export function percentile(values: readonly number[], part: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
}

/** Does something again and again until it is over; gives how many milliseconds each time took. */
export async function waits(
  isOver: () => boolean,
  work: (turn: number) => Promise<unknown>
): Promise<readonly number[]> {
  const took: number[] = []
  for (let turn = 0; !isOver(); turn += 1) {
    const began = performance.now()
    await work(turn)
    took.push(performance.now() - began)
  }
  return took
}
