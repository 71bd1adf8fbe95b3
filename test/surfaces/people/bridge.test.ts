import fc from 'fast-check'
import t from 'tap'
import { cadenceNames } from '../../../surfaces/people/collector-schemas.ts'
import { bridgeOf, type Published } from '../../../surfaces/people/parties.ts'

const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }).map(list => new Set(list))
const party: fc.Arbitrary<Published> = fc.record(
  {
    have: set,
    want: set,
    languages: set,
    region: fc.constantFrom('NL', 'JP'),
    cadence: fc.constantFrom(...cadenceNames)
  },
  { requiredKeys: [] }
)

t.test('a worked example', t => {
  const {
    shared_languages: languages,
    region_match: region,
    ...metrics
  } = bridgeOf(
    {
      have: new Set(['x', 'y']),
      want: new Set(['z']),
      languages: new Set(['en', 'nl']),
      region: 'NL',
      cadence: 'same-day'
    },
    {
      have: new Set(['y', 'z']),
      want: new Set(['x', 'q']),
      languages: new Set(['en']),
      region: 'JP',
      cadence: 'few-days'
    }
  ).metrics
  t.same(Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value])), {
    portfolio_jaccard: 0.3333,
    portfolio_shared_count: 1,
    wishlist_jaccard: 0,
    a_wants_from_b: 1,
    b_wants_from_a: 1,
    trade_potential: 2,
    language_jaccard: 0.5,
    cadence_ratio: 0.3333,
    // (0.35 × 0.3333 + 0.15 × 0 + 0.2 × 0.5 + 0.15 × 0 + 0.15 × 0.3333) / 1
    bridge_score: 0.2667
  })
  t.same([languages.value, region.value], [['en'], 'different'])
  t.end()
})

t.test('what one side has not published has no value, and adds nothing to the score', t => {
  fc.assert(
    fc.property(party, party, (a, b) => {
      const { metrics, coveredPercent } = bridgeOf(a, b)
      for (const [metric, part] of [
        ['portfolio_jaccard', 'have'],
        ['wishlist_jaccard', 'want'],
        ['language_jaccard', 'languages'],
        ['region_match', 'region'],
        ['cadence_ratio', 'cadence']
      ] as const) {
        if (a[part] === undefined || b[part] === undefined)
          t.match(metrics[metric], { value: null, reason: 'not_published' })
        else t.not(metrics[metric].reason, 'not_published')
      }
      const score = metrics.bridge_score.value
      t.ok(score === null || (score >= 0 && score <= 1))
      t.equal(score === null, coveredPercent < 50)
      t.same(bridgeOf(b, a).metrics.bridge_score, metrics.bridge_score, 'it is the same from both sides')
      t.same(bridgeOf(b, a).metrics.a_wants_from_b.value, metrics.b_wants_from_a.value)
      for (const { value, reason } of Object.values(metrics)) t.equal(value === null, reason !== null)
    }),
    { numRuns: 60 }
  )
  t.end()
})

t.test('languages and a place alone make no score', t => {
  const alike = { languages: new Set(['en']), region: 'NL' }
  const few = bridgeOf(alike, alike)
  t.same([few.metrics.bridge_score.value, few.coveredPercent], [null, 35])
  const more = bridgeOf({ ...alike, cadence: 'same-day' }, { ...alike, cadence: 'same-day' })
  t.same([more.metrics.bridge_score.value, more.coveredPercent], [1, 50])
  t.end()
})
