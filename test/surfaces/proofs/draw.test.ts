import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { commitmentOf, draw, type DrawRates } from '../../../surfaces/proofs/draw.ts'
import { chiSquare, pValue, sumChiSquares } from '../../../surfaces/proofs/fairness.ts'

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => Buffer.from(bytes).toString('hex'))
const seeds = fc.record({ server_seed: seed, client_seed: seed, nonce: fc.nat() })
const rates: DrawRates = {
  packs: [
    {
      name: 'usual',
      weight: 9,
      places: [
        { rarities: [{ rarity: 'C', weight: 1 }] },
        {
          rarities: [
            { rarity: 'C', weight: 70 },
            { rarity: 'U', weight: 25 },
            { rarity: 'R', weight: 5 }
          ]
        }
      ]
    },
    {
      name: 'rare',
      weight: 1,
      places: [
        {
          rarities: [
            { rarity: 'R', weight: 1 },
            { rarity: 'never', weight: 0 }
          ]
        }
      ]
    }
  ]
}

t.test('a draw follows from its seeds by the rule that is published', t => {
  fc.assert(
    fc.property(seeds, given => {
      const found = draw(rates, given)
      t.same(draw(rates, given), found)
      const bytes = createHmac('sha256', Buffer.from(given.server_seed, 'hex'))
        .update(`${given.client_seed}:${given.nonce}:0`)
        .digest()
      const [pack, first, second] = [0, 4, 8].map(at => bytes.readUInt32BE(at)) as [number, number, number]
      // None of the numbers of these weights is left out but the last few of 2^32.
      if (Math.max(pack, first, second) < 2 ** 32 - 100) {
        const rest = second % 100
        t.same(
          found,
          pack % 10 < 9
            ? { pack: 'usual', rarities: ['C', rest < 70 ? 'C' : rest < 95 ? 'U' : 'R'] }
            : { pack: 'rare', rarities: ['R'] }
        )
      }
    }),
    { numRuns: 200 }
  )
  t.end()
})

t.test('the commitment is of the bytes of the seed, and another seed has another one', t => {
  fc.assert(
    fc.property(seed, seed, (one, other) => {
      t.equal(commitmentOf(one), createHash('sha256').update(Buffer.from(one, 'hex')).digest('hex'))
      t.equal(commitmentOf(one) === commitmentOf(other), one === other)
    })
  )
  t.end()
})

t.test('no remainder is likelier than another: numbers beyond the last whole multiple are left out', t => {
  // With three choices of 2^30 each, a plain remainder would give the first one as often as both others together.
  const third = { packs: ['a', 'b', 'c'].map(name => ({ name, weight: 2 ** 30, places: [] })) }
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 }
  for (let nonce = 0; nonce < 6_000; nonce += 1) {
    const { pack } = draw(third, { server_seed: '11'.repeat(32), client_seed: '22'.repeat(32), nonce })
    counts[pack] = (counts[pack] ?? 0) + 1
  }
  const p = pValue(chiSquare(Object.values(counts).map(observed => ({ observed, weight: 1 }))))
  t.ok(p !== null && p > 0.001, `p ${String(p)} of ${JSON.stringify(counts)}`)
  t.throws(
    () => draw({ packs: [] }, { server_seed: '00'.repeat(32), client_seed: '00'.repeat(32), nonce: 0 }),
    RangeError
  )
  t.throws(
    () =>
      draw(
        { packs: [{ name: 'x', weight: 2 ** 33, places: [] }] },
        { server_seed: '00'.repeat(32), client_seed: '00'.repeat(32), nonce: 0 }
      ),
    RangeError
  )
  t.end()
})

t.test('many draws have the rates that they were made by', t => {
  const found: Record<string, number> = { C: 0, U: 0, R: 0 }
  let usual = 0
  for (let nonce = 0; nonce < 5_000; nonce += 1) {
    const { pack, rarities } = draw(rates, { server_seed: 'ab'.repeat(32), client_seed: 'cd'.repeat(32), nonce })
    if (pack !== 'usual') continue
    usual += 1
    found[rarities[1] ?? ''] = (found[rarities[1] ?? ''] ?? 0) + 1
  }
  t.ok(
    (pValue(
      chiSquare([
        { observed: usual, weight: 9 },
        { observed: 5_000 - usual, weight: 1 }
      ])
    ) ?? 0) > 0.001
  )
  t.ok(
    (pValue(chiSquare([70, 25, 5].map((weight, at) => ({ observed: Object.values(found)[at] ?? 0, weight })))) ?? 0) >
      0.001
  )
  t.end()
})

/** Upper critical values of the NIST/SEMATECH handbook, §1.3.6.7.4. */
const table: readonly [degrees: number, p: number, statistic: number][] = [
  [1, 0.05, 3.841],
  [1, 0.001, 10.828],
  [2, 0.05, 5.991],
  [3, 0.01, 11.345],
  [5, 0.1, 9.236],
  [10, 0.05, 18.307],
  [10, 0.001, 29.588],
  [25, 0.025, 40.646],
  [50, 0.01, 76.154],
  [100, 0.05, 124.342]
]

t.test('p-values are those of the tables', t => {
  for (const [degrees, p, statistic] of table)
    t.ok(
      Math.abs((pValue({ statistic, degrees }) ?? 0) / p - 1) < 0.003,
      `${degrees} ${p}: ${String(pValue({ statistic, degrees }))}`
    )
  t.equal(pValue({ statistic: 0, degrees: 0 }), null)
  t.equal(pValue({ statistic: 0, degrees: 3 }), 1)
  t.equal(pValue({ statistic: 1e9, degrees: 3 }), 0)
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 400, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.integer({ min: 1, max: 200 }),
      (statistic, more, degrees) => {
        const [p, further] = [
          pValue({ statistic, degrees }) ?? -1,
          pValue({ statistic: statistic + more, degrees }) ?? -1
        ]
        t.ok(p >= 0 && p <= 1 && further <= p + 1e-12, `${p} ${further}`)
        if (degrees % 2 === 0) {
          // With even degrees it is a sum of Poisson probabilities.
          let [term, sum] = [Math.exp(-statistic / 2), 0]
          for (let k = 0; k < degrees / 2; k += 1) [sum, term] = [sum + term, (term * statistic) / 2 / (k + 1)]
          t.ok(Math.abs(p - sum) < 1e-10, `${p} ${sum}`)
        }
      }
    ),
    { numRuns: 300 }
  )
  t.end()
})

t.test('rare counts are put together, and parts add up', t => {
  t.same(
    chiSquare([
      { observed: 50, weight: 1 },
      { observed: 50, weight: 1 }
    ]),
    { statistic: 0, degrees: 1 }
  )
  t.same(
    chiSquare([
      { observed: 60, weight: 1 },
      { observed: 40, weight: 1 }
    ]),
    { statistic: 4, degrees: 1 }
  )
  t.equal(
    chiSquare([
      { observed: 1, weight: 1 },
      { observed: 0, weight: 1 },
      { observed: 99, weight: 98 }
    ]).degrees,
    0,
    'two expected cards are too few to speak of'
  )
  t.equal(chiSquare([{ observed: 7, weight: 1 }]).degrees, 0)
  t.same(
    chiSquare([
      { observed: 0, weight: 1 },
      { observed: 0, weight: 9 }
    ]),
    { statistic: 0, degrees: 0 },
    'nothing was seen'
  )
  t.equal(
    chiSquare([2, 3, 4].map(weight => ({ observed: weight, weight }))).degrees,
    0,
    'also the last group is large enough'
  )
  t.same(
    sumChiSquares([
      { statistic: 4, degrees: 1 },
      { statistic: 0, degrees: 1 }
    ]),
    { statistic: 4, degrees: 2 }
  )
  t.end()
})
