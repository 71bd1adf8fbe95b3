import fc from 'fast-check'
import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { Pence, parsePence, formatPounds, formatMoney, statedAmount } from '../../../surfaces/market/money.ts'
import {
  defaultIncrement,
  dutchPrice,
  extendEnd,
  extensionMs,
  minimumNextBid,
  maxExtensions,
  nextDrop
} from '../../../surfaces/market/bidding.ts'
import { formatTimeBetween } from '../../../surfaces/market/page/words.ts'
import { actsIn, states, transitionOf, transitions } from '../../../surfaces/market/auction.ts'
import {
  limitOver,
  reviewerWeight,
  scoreOf,
  tierOf,
  tiers,
  trustParts,
  weightedStars,
  type TrustFacts
} from '../../../surfaces/market/trust.ts'

const pence = fc.integer({ min: 1, max: 1_000_000 })

t.test(
  'the table of transitions is whole: each state can be reached, each pair of state and act leads to one place',
  async t => {
    const pairs = transitions.map(({ from, act }) => `${from ?? ''} ${act}`)
    t.equal(new Set(pairs).size, pairs.length)
    const reached = new Set<string>(['draft'])
    for (let round = 0; round < states.length; round += 1)
      for (const { from, to } of transitions) if (from !== null && reached.has(from)) reached.add(to)
    t.same([...reached].sort(), [...states].sort())
    t.same(
      transitions.filter(({ from }) => (from as string | null) === 'cancelled'),
      [],
      'nothing follows a cancellation'
    )
    t.equal(transitionOf('live', 'paid'), undefined)
    t.equal(transitionOf('live', 'buy')?.to, 'ended')
    t.same(actsIn('live', 'bidder'), ['bid', 'buy', 'offer'])
    t.notOk(transitions.some(({ from, who }) => from === 'live' && (who as readonly string[]).includes('winner')))
  }
)

t.test('money is shown of whole pence, and is marked as what a participant states', async t => {
  t.equal(formatMoney({ pence: 123_450, currency: 'GBP' }), '£1,234.50')
  t.same(statedAmount(5, 'GBP'), { pence: 5, currency: 'GBP', stated_by: 'participant' })
  t.equal(statedAmount(null, 'GBP'), null)
})

t.test(
  'an amount is whole pence within bounds: no fraction, sign, exponent, text or overflow passes, and nothing is rounded',
  async t => {
    const issuesOf = compileSchema(Pence)
    const isPence = (value: unknown): boolean => issuesOf(value).length === 0
    for (const good of [1, 100, 100_000_000]) t.equal(isPence(good), true, String(good))
    for (const bad of [
      0,
      -1,
      0.5,
      10.01,
      100_000_001,
      2 ** 31,
      2 ** 53,
      2 ** 53 + 2,
      1e21,
      Number.MAX_VALUE,
      '100',
      null,
      true,
      [100],
      {}
    ])
      t.equal(isPence(bad), false, JSON.stringify(bad))
    t.same(
      ['12', '12.5', '£12.50', ' 0.01 ', '12,50', '1000000'].map(text => parsePence('amount', text)),
      [1200, 1250, 1250, 1, 1250, 100_000_000]
    )
    for (const text of ['0', '0.00', '1000000.01', '9999999'])
      t.throws(() => parsePence('amount', text), /from £0\.01 to £1,000,000\.00/, text)
    for (const text of [
      '',
      'ten',
      '-5',
      '+5',
      '1e3',
      '12.345',
      '0x10',
      '1,000.00',
      '.5',
      '5.',
      '12 50',
      '99999999',
      '9'.repeat(400),
      '\u0663',
      '12$',
      'NaN',
      'Infinity'
    ])
      t.throws(() => parsePence('amount', text), /amount in pounds/, text)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000_000 }),
        amount =>
          parsePence('amount', formatPounds(amount)) === amount &&
          parsePence('amount', formatMoney({ pence: amount, currency: 'GBP' }).replaceAll(',', '')) === amount
      )
    )
  }
)

t.test('the next bid is above the last by the step, and never above what buys at once', async () => {
  fc.assert(
    fc.property(
      pence,
      pence,
      fc.option(pence),
      fc.option(pence),
      (startingPrice, increment, currentPrice, buyNowPrice) => {
        const least = minimumNextBid({ startingPrice, increment, currentPrice, buyNowPrice })
        const open = currentPrice === null ? startingPrice : currentPrice + increment
        return Number.isInteger(least) && (least === open || (least === buyNowPrice && least < open))
      }
    )
  )
  fc.assert(
    fc.property(pence, start => defaultIncrement(start) >= 50 && defaultIncrement(start + 1) >= defaultIncrement(start))
  )
})

t.test('a Dutch price falls with the clock alone, in whole steps, from its start to its end', async () => {
  const terms = fc
    .record({
      end: pence,
      above: pence,
      drop: pence,
      intervalSeconds: fc.integer({ min: 1, max: 86_400 }),
      startsAt: fc.integer({ min: 0, max: 2e12 })
    })
    .map(({ above, ...one }) => ({ ...one, start: one.end + above }))
  const later = fc.integer({ min: 0, max: 1e10 })
  fc.assert(
    fc.property(terms, later, later, (of, first, more) => {
      const [price, next] = [dutchPrice(of, of.startsAt + first), dutchPrice(of, of.startsAt + first + more)]
      return (
        price <= of.start &&
        price >= of.end &&
        next <= price &&
        (price === of.end || (of.start - price) % of.drop === 0)
      )
    })
  )
  fc.assert(
    fc.property(terms, later, (of, first) => {
      const now = of.startsAt + first
      const drops = nextDrop(of, now)
      return drops === null
        ? dutchPrice(of, now) === of.end
        : drops > now &&
            dutchPrice(of, drops) < dutchPrice(of, now) &&
            dutchPrice(of, drops - 1) === dutchPrice(of, now)
    })
  )
})

t.test('over a leap day and a change of summer time a price and an end follow from milliseconds alone', async t => {
  const terms = {
    start: 5000,
    end: 1000,
    drop: 100,
    intervalSeconds: 86_400,
    startsAt: Date.parse('2028-02-28T12:00:00Z')
  }
  t.same(
    ['2028-02-29T11:59:59.999Z', '2028-02-29T12:00:00Z', '2028-03-01T12:00:00Z', '2028-03-26T12:00:00Z'].map(at =>
      dutchPrice(terms, Date.parse(at))
    ),
    [5000, 4900, 4800, 2300]
  )
  t.equal(new Date(nextDrop(terms, Date.parse('2028-02-29T12:00:00Z')) ?? 0).toISOString(), '2028-03-01T12:00:00.000Z')
  t.equal(
    new Date(extendEnd(Date.parse('2028-02-29T23:59:00Z'), Date.parse('2028-02-29T23:58:30Z'), 0).endsAt).toISOString(),
    '2028-03-01T00:01:00.000Z'
  )
  t.equal(formatTimeBetween('2028-02-28T12:00:00Z', '2028-03-01T13:00:00Z'), '2 days and 1 hour')
})

t.test('a late bid moves the end by two minutes, at most ten times; an early or too late one never', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 300_000 }),
      fc.integer({ min: 0, max: maxExtensions }),
      (before, extensions) => {
        const after = extendEnd(1e12, 1e12 - before, extensions)
        const moves = before > 0 && before <= extensionMs && extensions < maxExtensions
        return after.endsAt === 1e12 + (moves ? extensionMs : 0) && after.extensions === extensions + (moves ? 1 : 0)
      }
    )
  )
})

t.test('limits grow with the score, and hold for one trade and for a day', async t => {
  t.same(
    [0, 19, 20, 49, 50, 80, 94, 95, 100].map(score => tierOf(score).name),
    ['New', 'New', 'Starter', 'Starter', 'Trusted', 'Veteran', 'Veteran', 'Elite', 'Elite']
  )
  t.equal(limitOver(tiers[0], 5000, 5000), undefined)
  t.equal(limitOver(tiers[0], 5001, 0), 'trade_limit')
  t.equal(limitOver(tiers[0], 5000, 5001), 'daily_limit')
})

const nobody: TrustFacts = {
  completed: 0,
  concluded: 0,
  reviews: [],
  volume: 0,
  daysSinceFirstTrade: null,
  verifiedAccounts: 0,
  openDisputes: 0,
  lostDisputes: 0,
  splitDisputes: 0,
  fraudSignals: 0
}
const score = (facts: Partial<TrustFacts>): number => scoreOf(trustParts({ ...nobody, ...facts }))

t.test('a score is the sum of its parts, between 0 and 100', async t => {
  t.equal(score({}), 0)
  t.equal(score({ completed: 9, concluded: 10 }), 32)
  t.equal(
    score({
      completed: 10,
      concluded: 10,
      reviews: [{ stars: 5, reviewer_score: 0 }],
      volume: 100_000,
      daysSinceFirstTrade: 60
    }),
    35 + 30 + 15 + 4
  )
  t.equal(score({ completed: 10, concluded: 10, openDisputes: 1, lostDisputes: 1, splitDisputes: 1 }), 2)
  t.equal(score({ completed: 10, concluded: 10, fraudSignals: 2 }), 0)
  t.equal(
    weightedStars([
      { stars: 5, reviewer_score: 90 },
      { stars: 1, reviewer_score: 0 }
    ]),
    (5 + 0.4) / 1.4
  )
  t.same([0, 20, 50, 80].map(reviewerWeight), [0.4, 0.6, 0.8, 1])
  const count = fc.integer({ min: 0, max: 500 })
  const facts = fc
    .record({
      completed: count,
      concluded: count,
      reviews: fc.array(
        fc.record({ stars: fc.integer({ min: 1, max: 5 }), reviewer_score: fc.integer({ min: 0, max: 100 }) }),
        { maxLength: 20 }
      ),
      volume: fc.integer({ min: 0, max: 1e12 }),
      daysSinceFirstTrade: fc.option(count),
      verifiedAccounts: count,
      openDisputes: count,
      lostDisputes: count,
      splitDisputes: count,
      fraudSignals: count
    })
    .map(one => ({ ...one, concluded: one.completed + one.concluded }))
  fc.assert(
    fc.property(facts, one => {
      const parts = trustParts(one)
      const total = scoreOf(parts)
      return (
        parts.every(
          ({ points, bound }) =>
            Number.isInteger(points) && (bound === null ? points <= 0 : points >= 0 && points <= bound)
        ) &&
        total >= 0 &&
        total <= 100 &&
        scoreOf(trustParts({ ...one, openDisputes: one.openDisputes + 1 })) <= total
      )
    })
  )
})
