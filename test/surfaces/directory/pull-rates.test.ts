import t from 'tap'
import { pathTo } from '../../support/path-to.ts'
import { pullsDocument } from '../../../surfaces/directory/pulls-document.ts'
import { readPullRates } from '../../../surfaces/directory/pull-rates.ts'
import { packageFolder } from '../../../surfaces/import/find-files.ts'
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

t.test('a game without a source that states rates has none, with the reason', async t => {
  const source = { id: 'a', access: 'wired', games: ['x'], upstream: { name: 'A' }, license_statement: 'Nothing is said.' } as unknown as Source
  const games = new Map(['x', 'y', 'z'].map(token => [token, { token, name: token.toUpperCase(), slug: token }]))
  const document = pullsDocument({
    boosters: [{ game: 'x', rates_source: null }, { game: 'y', rates_source: null }, { game: 'z', rates_source: 'a' }],
    games,
    sources: new Map([['a', source]]),
    ratesOf: () => ({ rarities: {}, sets: [] })
  }, pathTo)
  t.match(document, {
    games_with_rates: 1,
    games: [
      { game: 'x', rates: null, reason: 'The one registered source of this game states no pull rate.' },
      { game: 'y', rates: null, reason: 'No source of this game is registered.' },
      { game: 'z', rates: { sets: [] }, rates_source: { id: 'a', url: null, rights: 'NOASSERTION' }, reason: null }
    ]
  })
})

t.test('a game or a source that is not declared is a fault', async t => {
  const given = { games: new Map(), sources: new Map<string, Source>(), ratesOf: () => ({ rarities: {}, sets: [] }) }
  t.throws(() => pullsDocument({ ...given, boosters: [{ game: 'x', rates_source: null }] }, pathTo), /the game `x`/)
  t.throws(() => pullsDocument({ ...given, games: new Map([['x', { token: 'x', name: 'X', slug: 'x' }]]), boosters: [{ game: 'x', rates_source: 'a' }] }, pathTo), /the source `a`/)
})
