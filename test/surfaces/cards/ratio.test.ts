import t from 'tap'
import { decimalOf, ratioOf } from '../../../surfaces/cards/numbers.ts'

t.test('a ratio is of whole numbers without a common divisor', t => {
  const cases: [number, number, number, number][] = [
    [1, 16, 1, 16],
    [10.5, 128, 21, 256],
    [0.9375, 16, 15, 256],
    [0, 5, 0, 1],
    [121, 121, 1, 1],
    [28985.5, 50000, 57971, 100000],
    [0.1 + 0.2, 1, 3, 10]
  ]
  for (const [part, whole, numerator, denominator] of cases)
    t.same(ratioOf(part, whole), { numerator, denominator }, `${part} of ${whole}`)
  t.end()
})

t.test('a decimal has twelve places at most', t => {
  t.equal(decimalOf(1, 3), 0.333333333333)
  t.equal(decimalOf(1, 4), 0.25)
  t.end()
})

t.test('nothing in nothing is refused', t => {
  for (const [part, whole] of [
    [0, 0],
    [-1, 2],
    [1, NaN]
  ] as const)
    t.throws(() => ratioOf(part, whole), RangeError)
  t.end()
})
