/**
 * Edits (insert, delete, replace, swap of neighbours) that make one text the other, by UTF-16 code unit. Counts only near the diagonal and stops above
 * `limit`: whatever is more is `limit + 1`. So work grows with the length and the limit, not with the square of the length.
 */
export function editDistance (a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  const far = limit + 1
  let before: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(far)
    current[0] = row
    let least = row
    for (let column = Math.max(1, row - limit); column <= Math.min(b.length, row + limit); column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const cost = Math.min(
        (previous[column - 1] ?? far) + (isSame ? 0 : 1), (previous[column] ?? far) + 1, (current[column - 1] ?? far) + 1, isSwap ? (before[column - 2] ?? far) + 1 : far
      )
      current[column] = cost
      least = Math.min(least, cost)
    }
    if (least > limit) return far
    before = previous
    previous = current
  }
  return Math.min(previous[b.length] ?? far, far)
}
