const runs = /[0-9]+|[^0-9]+/g

const isNumber = (run: string): boolean => /^[0-9]/.test(run)

function compareRuns (a: string, b: string): number {
  if (!isNumber(a) || !isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  // Without leading zeros the longer number is the larger one, whatever its size.
  return x.length - y.length || (x < y ? -1 : x > y ? 1 : 0)
}

/**
 * Compares texts as people count: `A2` before `A10`. Total and the same on every machine: no locale is asked, and texts that count
 * the same (`A1`, `A01`) are ordered by their code units.
 */
export function naturalOrder (a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [a.match(runs) ?? [], b.match(runs) ?? []]
  for (const [index, run] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const difference = compareRuns(run, other)
    if (difference !== 0) return difference
  }
  return left.length - right.length || (a < b ? -1 : a > b ? 1 : 0)
}
