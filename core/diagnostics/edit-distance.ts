/**
 * Returns the number of edits (insert, delete, replace, swap of neighbours) that turn one text into the other, by
 * UTF-16 code unit. Only the part between the common start and end is compared, near the diagonal, and the result is
 * `limit + 1` if it is above `limit`. So the work grows with length times limit, not with the square of the length.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const far = limit + 1
  if (Math.abs(a.length - b.length) > limit) return far
  let start = 0
  let [endOfA, endOfB] = [a.length, b.length]
  while (start < endOfA && start < endOfB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endOfA > start && endOfB > start && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA--
    endOfB--
  }
  const [rows, columns] = [endOfA - start, endOfB - start]
  let before: number[] = []
  let previous: number[] = []
  for (let column = 0; column <= columns; column++) previous.push(column)
  for (let row = 1; row <= rows; row++) {
    const current: number[] = [row]
    let least = row
    const last = a.charCodeAt(start + row - 1)
    for (let column = 1; column <= columns; column++) {
      if (Math.abs(row - column) > limit) {
        current.push(far)
        continue
      }
      const letter = b.charCodeAt(start + column - 1)
      let cost = Math.min(
        (previous[column - 1] ?? far) + (last === letter ? 0 : 1),
        (previous[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1
      )
      if (
        row > 1 &&
        column > 1 &&
        last === b.charCodeAt(start + column - 2) &&
        a.charCodeAt(start + row - 2) === letter
      )
        cost = Math.min(cost, (before[column - 2] ?? far) + 1)
      current.push(cost)
      if (cost < least) least = cost
    }
    if (least > limit) return far
    before = previous
    previous = current
  }
  return Math.min(previous[columns] ?? far, far)
}
