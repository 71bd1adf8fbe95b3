import fc from 'fast-check'
import t from 'tap'
import { naturalOrder, sortNaturally } from '../../../surfaces/cards/numbers.ts'

t.test('numbers count, letters compare', t => {
  const given = [
    'A10',
    'A2',
    'A02',
    'A1-100',
    'A1-99',
    'B1',
    '10',
    '9',
    '',
    'A',
    '00',
    '0',
    'A2★',
    '99999999999999999999',
    '100000000000000000000'
  ]
  t.same(given.sort(naturalOrder), [
    '',
    '0',
    '00',
    '9',
    '10',
    '99999999999999999999',
    '100000000000000000000',
    'A',
    'A1-99',
    'A1-100',
    'A02',
    'A2',
    'A2★',
    'A10',
    'B1'
  ])
  t.end()
})

const text = fc.string({ unit: fc.constantFrom('0', '1', '9', 'a', 'b', '-', ':', ' ', '★'), maxLength: 6 })

/** The rule as it is said: runs are compared in turn, numbers by their value, else by code units. */
function asSaid(a: string, b: string): number {
  const [left, right] = [a, b].map(one => [...(one.match(/[0-9]+|[^0-9]+/g) ?? [])]) as [string[], string[]]
  const units = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0)
  const numbers = (x: string, y: string) => Number(x) - Number(y)
  const differences = left
    .slice(0, right.length)
    .map((run, index) => [run, right[index] ?? ''] as const)
    .map(([x, y]) => (/[0-9]/.test(x) && /[0-9]/.test(y) ? numbers(x, y) : units(x, y)))
  return Math.sign(differences.find(difference => difference !== 0) ?? (left.length - right.length || units(a, b)))
}

t.test('the order is as it is said', t => {
  t.doesNotThrow(() => {
    fc.assert(
      fc.property(text, text, (a, b) => Math.sign(naturalOrder(a, b)) === asSaid(a, b)),
      { numRuns: 5000 }
    )
  })
  t.end()
})

t.test('values are sorted by several texts, one after the other', t => {
  t.doesNotThrow(() => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), pairs => {
        const wanted = [...pairs].sort(([a, b], [x, y]) => naturalOrder(a, x) || naturalOrder(b, y))
        return JSON.stringify(sortNaturally(pairs, pair => pair)) === JSON.stringify(wanted)
      }),
      { numRuns: 1000 }
    )
  })
  t.end()
})

t.test('the order is total', t => {
  const sign = (a: string, b: string) => Math.sign(naturalOrder(a, b))
  t.doesNotThrow(() => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        (a, b, c) =>
          sign(a, b) + sign(b, a) === 0 &&
          (sign(a, b) === 0) === (a === b) &&
          (sign(a, b) > 0 || sign(b, c) > 0 || sign(a, c) <= 0)
      ),
      { numRuns: 2000 }
    )
  })
  t.end()
})
