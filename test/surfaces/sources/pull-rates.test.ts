import t from 'tap'
import { pathTo } from '../../support/path-to.ts'
import { pullsDocument, pullShares, readPullRates, type BoosterGame } from '../../../surfaces/sources/pull-rates.ts'
import { packageFolder } from '../../../surfaces/import/reading/files.ts'
import type { Source } from '../../../surfaces/import/source.ts'

const rates = () => readPullRates(packageFolder('pokemon-tcg-pocket-database', import.meta.url))

t.test('each place adds up to 100 percent but for rounding', async t => {
  const { rarities, sets } = rates()
  t.ok(sets.length >= 17)
  const unnamed = new Set<string>()
  for (const { set_code: set, packs } of sets) {
    t.ok(Math.abs(packs.reduce((sum, pack) => sum + pack.share_percent, 0) - 100) < 0.1, `packs of ${set}`)
    for (const { name, cards, slots } of packs) {
      t.equal(slots.length, cards, `places of ${set} ${name}`)
      for (const { slot, chances_percent: chances } of slots) {
        const sum = Object.values(chances).reduce((total, chance) => total + chance, 0)
        t.ok(Math.abs(sum - 100) < 0.01, `${set} ${name} ${slot}: ${sum}`)
        for (const rarity of Object.keys(chances)) if (rarities[rarity] === undefined) unnamed.add(rarity)
      }
    }
  }
  t.same([...unnamed].sort(), ['CF', 'RF', 'UF'], 'codes the package itself does not name')
})

t.test('nothing but names and chances is taken from the package', async t => {
  const text = JSON.stringify(rates())
  t.notMatch(text, /webp|tradePrice|points/i)
})

const booster: BoosterGame['products'][number] = {
  name: 'A booster',
  languages: ['en'],
  cards_per_booster: 10,
  boosters_per_display: null,
  slots: null,
  rates: [],
  sources: [{ name: 'A page', url: 'https://example.com/', dated: null }],
  unsure: true
}
const rate = { rarity: 'SR', cards: 1.5, boosters: 24, basis: 'press' as const }

t.test('a game without a rate says why', async t => {
  const source = {
    id: 'a',
    access: 'wired',
    games: ['x'],
    upstream: { name: 'A' },
    license_statement: 'Nothing is said.'
  } as unknown as Source
  const games = new Map(
    ['x', 'y', 'range', 'z'].map(token => [token, { token, name: token.toUpperCase(), slug: token }])
  )
  const document = pullsDocument(
    {
      boosters: [
        { game: 'x', rates_source: null, products: [booster] },
        { game: 'y', rates_source: null, products: [{ ...booster, rates: [rate, { ...rate, cards_at_most: 2 }] }] },
        { game: 'range', rates_source: null, products: [{ ...booster, rates: [{ ...rate, cards_at_most: 2 }] }] },
        { game: 'z', rates_source: 'a', products: [booster] }
      ],
      games,
      sources: new Map([['a', source]]),
      ratesOf: () => ({ rarities: {}, sets: [] })
    },
    pathTo
  )
  t.match(document, {
    games_with_rates: 2,
    games: [
      { game: 'x', rates: null, reason: /No publisher/, products: [{ cards_per_booster: 10 }] },
      {
        game: 'y',
        rates: null,
        reason: null,
        products: [
          {
            rates: [
              { rarity: 'SR', ratio_in_pulls: { numerator: 1, denominator: 160 }, decimal_probability: 0.00625 },
              { ratio_in_pulls: null }
            ]
          }
        ]
      },
      { game: 'range', rates: null, reason: /only ranges/, products: [{ rates: [{ ratio_in_pulls: null }] }] },
      { game: 'z', rates: { sets: [] }, rates_source: { id: 'a', url: null, rights: 'NOASSERTION' }, reason: null }
    ]
  })
})

t.test('a game or a source that is not declared is a fault', async t => {
  const given = { games: new Map(), sources: new Map<string, Source>(), ratesOf: () => ({ rarities: {}, sets: [] }) }
  t.throws(
    () => pullsDocument({ ...given, boosters: [{ game: 'x', rates_source: null, products: [booster] }] }, pathTo),
    /the game `x`/
  )
  t.throws(
    () =>
      pullsDocument(
        {
          ...given,
          games: new Map([['x', { token: 'x', name: 'X', slug: 'x' }]]),
          boosters: [{ game: 'x', rates_source: 'a', products: [booster] }]
        },
        pathTo
      ),
    /the source `a`/
  )
})

t.test(
  'the share of a rarity is that of the cards of a booster, where one rate is stated for its set and language',
  t => {
    const shareOf = (products: readonly BoosterGame['products'][number][], asked: object = {}) =>
      pullShares(
        [{ game: 'x', rates_source: null, products }],
        new Map()
      )({ game: 'x', set: 'a', lang: 'en', rarity: 'SR', ...asked })
    const ofSet = { ...booster, sets: ['a'] }
    t.match(shareOf([{ ...ofSet, rates: [rate] }]), {
      share: [1.5, 240],
      basis: /A booster: 1.5 in 24 boosters of 10 cards, says A page/
    })
    t.match(shareOf([{ ...booster, rates: [rate] }]), { reason: /does not say of which sets/ })
    t.match(shareOf([{ ...booster, sets: ['b'], rates: [rate] }]), { reason: /describes boosters of this set/ })
    t.match(shareOf([{ ...ofSet, rates: [rate] }], { lang: 'ja' }), {
      reason: /describes boosters of this set in this language/
    })
    t.match(shareOf([{ ...ofSet, rates: [rate] }], { rarity: 'C' }), { reason: /states a rate of this rarity/ })
    t.match(shareOf([{ ...ofSet, rates: [rate, { ...rate, cards: 2 }] }]), { reason: /differ/ })
    t.match(shareOf([{ ...ofSet, rates: [{ ...rate, cards_at_most: 2 }] }]), {
      reason: /a range is stated: 1.5 to 2 in 24 boosters/
    })
    t.match(shareOf([booster], { game: 'y' }), { reason: /No boosters of this game/ })
    t.end()
  }
)

t.test('the shares of a set whose source states rates add up to one', t => {
  const all = rates()
  const shareOf = pullShares([{ game: 'x', rates_source: 's', products: [booster] }], new Map([['s', all]]))
  for (const { set_code: set, packs } of all.sets) {
    const rarities = new Set(
      packs.flatMap(({ slots }) => slots.flatMap(({ chances_percent: chances }) => Object.keys(chances)))
    )
    const sum = [...rarities].reduce((total, rarity) => {
      const found = shareOf({ game: 'x', set, lang: 'en', rarity })
      return 'share' in found ? total + found.share[0] / found.share[1] : total
    }, 0)
    t.ok(Math.abs(sum - 1) < 0.001, `${set}: ${sum}`)
  }
  const together = pullShares(
    [{ game: 'x', rates_source: 's', counted_together: [['SR', 'SAR']], products: [booster] }],
    new Map([['s', all]])
  )
  for (const rarity of ['SR', 'SAR'])
    t.match(together({ game: 'x', set: all.sets[0]?.set_code ?? '', lang: 'en', rarity }), {
      reason: /counts SR and SAR together/
    })
  t.match(shareOf({ game: 'x', set: 'none', lang: 'en', rarity: 'C' }), { reason: /does not name this set/ })
  t.match(shareOf({ game: 'x', set: all.sets[0]?.set_code ?? '', lang: 'en', rarity: 'none' }), {
    reason: /names no card of this rarity/
  })
  t.end()
})
