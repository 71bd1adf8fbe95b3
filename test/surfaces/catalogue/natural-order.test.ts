import fc from 'fast-check'
import t from 'tap'
import { naturalOrder } from '../../../surfaces/catalogue/natural-order.ts'

t.test('numbers count, letters compare', t => {
  const given = ['A10', 'A2', 'A02', 'A1-100', 'A1-99', 'B1', '10', '9', '', 'A', '00', '0', 'A2★', '99999999999999999999', '100000000000000000000']
  t.same(given.sort(naturalOrder), ['', '0', '00', '9', '10', '99999999999999999999', '100000000000000000000', 'A', 'A1-99', 'A1-100', 'A02', 'A2', 'A2★', 'A10', 'B1'])
  t.end()
})

t.test('the order is total', t => {
  const text = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'b', '-', '★'), maxLength: 6 })
  const sign = (a: string, b: string) => Math.sign(naturalOrder(a, b))
  t.doesNotThrow(() => {
    fc.assert(fc.property(text, text, text, (a, b, c) =>
      sign(a, b) + sign(b, a) === 0 && (sign(a, b) === 0) === (a === b) && (sign(a, b) > 0 || sign(b, c) > 0 || sign(a, c) <= 0)
    ), { numRuns: 2000 })
  })
  t.end()
})
