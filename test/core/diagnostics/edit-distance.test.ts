import fc from 'fast-check'
import t from 'tap'
import { editDistance } from '../../../core/diagnostics/edit-distance.ts'

/** The definition (optimal string alignment), without any bound. */
function plain(a: string, b: string): number {
  const known = new Map<string, number>()
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i} ${j}`
    const before = known.get(key)
    if (before !== undefined) return before
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const edits = Math.min(
      of(i - 1, j) + 1,
      of(i, j - 1) + 1,
      of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      ...(isSwap ? [of(i - 2, j - 2) + 1] : [])
    )
    known.set(key, edits)
    return edits
  }
  return of(a.length, b.length)
}

t.test('counts edits exactly up to the limit, and says one more above it', t => {
  t.equal(editDistance('kitten', 'sitting', 5), 3)
  t.equal(editDistance('histroy', 'history', 3), 1, 'a swap is one edit')
  t.equal(editDistance('', 'abc', 2), 3)
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 6 }), (a, b, limit) => {
      t.equal(editDistance(a, b, limit), Math.min(plain(a, b), limit + 1), `${a} ${b} ${limit}`)
    })
  )
  t.end()
})
